/**
 * A process of `npm test`. It runs the test files that its parent sends, one after another. After each file, it sends
 * the counts and uvu's output to the parent. The process exits once the parent has disconnected and the files have
 * closed all resources.
 */
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { onlyDeep, takeDeep, takeMissing } from "../support/layer.ts";
import type { PackageSetName } from "../packages/packageSets.ts";
import { endWithChildren } from "../support/endWithChildren.ts";
import { runnerPackages } from "../support/findPackages.ts";
import { sharedServer, type SharedServers } from "../support/sharedServer.ts";
import { processorTimeMs } from "./processorTime.ts";
import type { FileResult } from "./runFiles.ts";

declare global {
  var UVU_DEFER: number;
  var UVU_INDEX: number;
  var UVU_QUEUE: unknown[][];
}

const root = process.argv[2] ?? "";
globalThis.UVU_DEFER = 1;
globalThis.UVU_INDEX = 0;
// Runs the suites that the file has queued. uvu's types do not declare this function.
const { exec } = (await import("uvu")) as unknown as { exec(): Promise<void> };
const counted = /Total:\s+(\d+)\s+Passed:\s+(\d+)\s+Skipped:\s+(\d+)/;

let fileCount = 0;

async function run(file: string, isOnlyDeep: boolean): Promise<Omit<FileResult, "durationMs">> {
  const written: string[] = [];
  used.clear();
  onlyDeep.isOn = isOnlyDeep;
  const before = processorTimeMs();
  const { write } = process.stdout;
  process.stdout.write = (chunk: string | Uint8Array) => {
    written.push(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString());
    return true;
  };
  try {
    globalThis.UVU_QUEUE.splice(0, Infinity, [file]);
    await import(pathToFileURL(join(root, file)).href);
    await exec();
  } catch (failure) {
    const { stack = String(failure) } = failure as Error;
    written.push(`\n   FAIL  the file could not be run\n    ${stack}\n`);
  } finally {
    process.stdout.write = write;
  }
  // uvu sets the exit code after a failure. This process reports failures in its message to the parent instead.
  process.exitCode = 0;
  // Writes compiled modules to the cache now instead of at exit, so that later hosts and threads can reuse them.
  // Writing scans all loaded modules, so the process writes less and less often, as fewer new modules are loaded.
  fileCount++;
  if (Number.isInteger(Math.log2(fileCount))) flushCompileCache();
  const output = written.join("");
  // oxlint-disable-next-line no-control-regex -- uvu colors its lines
  const [, total, passed, skipped] = (counted.exec(output.replace(/\u001b\[\d+m/g, "")) ?? []).map(
    Number,
  );
  return {
    file,
    totalCount: total ?? 1,
    passedCount: passed ?? 0,
    skippedCount: skipped ?? 0,
    processorMs: processorTimeMs() - before,
    isOnlyDeep,
    deepTitles: takeDeep(),
    missing: takeMissing(),
    output,
  };
}

type Name = keyof SharedServers;
/** Servers that the current file has used. */
const used = new Set<Name>();
const found = new Map<Name, PromiseWithResolvers<SharedServers[Name]>>();
sharedServer.find = <Wanted extends Name>(name: Wanted) => {
  const waiting = found.get(name) ?? Promise.withResolvers<SharedServers[Name]>();
  if (!found.has(name)) process.send?.({ needsServer: name });
  found.set(name, waiting);
  if (!used.has(name)) process.send?.({ uses: name });
  used.add(name);
  return waiting.promise as Promise<SharedServers[Wanted]>;
};

sharedServer.noteDatabase = (database) => process.send?.({ uses: "postgres", database });

/** Package sets that this process has requested from the runner. It requests each set only once. */
const installing = new Map<PackageSetName, PromiseWithResolvers<string>>();
runnerPackages.find = (name) => {
  const waiting = Promise.withResolvers<string>();
  installing.set(name, waiting);
  process.send?.({ installs: name });
  return waiting.promise;
};

interface FromParent {
  readonly set?: PackageSetName;
  readonly folder?: string;
  readonly failure?: string;
  readonly file?: string;
  readonly isOnlyDeep?: boolean;
  readonly name?: Name;
  readonly server?: SharedServers[Name];
}

/**
 * Milliseconds to wait for resources that a file has left open. Without this limit, these resources would keep the run
 * alive forever.
 */
const graceMs = Number(process.env["LIMIT_MS"] ?? 120_000);

// An idle Node.js process waits for open requests before it exits. A request that never completes would prevent that.
process.once("beforeExit", () => process.exit());

process.once("disconnect", () => {
  setTimeout(() => {
    const left = process.getActiveResourcesInfo().filter((kind) => kind !== "Timeout");
    process.stderr.write(`these resources are still open: ${left.join(", ") || "a timer"}\n`);
    endWithChildren(1);
  }, graceMs).unref();
});

process.on(
  "message",
  ({ file, isOnlyDeep = false, name, server, set, folder, failure }: FromParent) => {
    if (set && folder !== undefined) installing.get(set)?.resolve(folder);
    else if (set) installing.get(set)?.reject(new Error(failure));
    else if (name && server) found.get(name)?.resolve(server);
    // `run` never rejects: it reports every failure.
    else if (file !== undefined)
      void run(file, isOnlyDeep).then((result) => process.send?.(result));
  },
);
