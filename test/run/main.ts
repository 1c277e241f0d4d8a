/**
 * `npm test [-- pattern …]`, and `npm run test:deep` with `--deep`: runs the test files whose paths match, all without
 * a pattern, in two processes more than there are processors, since files wait too. Each process takes the next file
 * after one has ended; files that took longest the last time come first. `--deep --rest` leaves out the files that
 * have nothing of the deep layer: for a run that follows the quick one. `--soak` is the deep layer with all the rounds
 * that files name for it. Prints a line a file, failures at once and
 * again at the end.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { SharedServers } from "../support/sharedServer.ts";
import { bundleThread } from "./bundleThread.ts";
import { filesWithDeep } from "./filesWithDeep.ts";
import { processorTimeMs } from "./processorTime.ts";
import { createReport } from "./report.ts";
import { runFiles } from "./runFiles.ts";
import { openTestFolder } from "./testFolder.ts";

const root = join(import.meta.dirname, "..");
const given = process.argv.slice(2);
const isSoak = given.includes("--soak");
const layer = isSoak || given.includes("--deep") ? "deep" : "quick";
const patterns = given
  .filter((argument) => !argument.startsWith("--"))
  .map((pattern) => new RegExp(pattern));
const matching = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts") && !file.includes("node_modules"))
  .filter((file) => patterns.length === 0 || patterns.some((pattern) => pattern.test(file)));
if (matching.length === 0) throw new Error("no test file matches");
const withDeep = given.includes("--rest") ? filesWithDeep() : undefined;
const files = withDeep ? matching.filter((file) => withDeep.has(file)) : matching;

/** Files that take longest, in the order in which a clean checkout, which has no times, begins them. */
const longest = [
  "core/main",
  "core/host.alertActions",
  "core/transfer/applyFolder",
  "connectors/mysql/faults",
  "connectors/postgres/faults",
  "connectors/sqlite/faults",
  "core/host.plugins",
  "core/jobs/backtest/backtest",
  "core/queries/oracle/faults",
  "core/resources/tenancy",
  "core/catalog/postgres/embeddedPostgres",
  "plugins/conformance/checkPlugin",
  "core/resources/malformed",
  "engine/store/changes/fillTable",
  "engine/store/compaction",
  "core/queries/plan/liars",
  "connectors/clickhouse/faults",
  "examples/demo",
  "core/authoring/runPluginCommand",
  "engine/pool/pool",
  "engine/store/warm",
  "engine/store/ingest",
  "engine/ingest/decode/arrivingBytes",
  "package",
].map((name) => `${name}.test.ts`);

/** Milliseconds that each file took the last time in this layer, as a hint for the order. */
const cacheDir = join(root, "../node_modules/.cache/manifold-tests");
const timesFile = join(cacheDir, `${layer}.json`);
const times = readTimes();

function readTimes(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(timesFile, "utf8")) as Record<string, number>;
  } catch {
    // The first run, or a cache that was cut off: the order is a hint.
    return {};
  }
}

/** Returns a hint of what a file takes; one that is new comes among the first. */
function hintOf(file: string): number {
  const place = longest.indexOf(file);
  return times[file] ?? (place >= 0 ? 1e9 - place : Object.keys(times).length > 0 ? 1e8 : 0);
}

type Server = SharedServers[keyof SharedServers] & { close(): Promise<void> };

/** Each server is started when the first file asks for it. */
const servers = new Map<keyof SharedServers, Promise<Server>>();
const openServer: Readonly<Record<keyof SharedServers, () => Promise<Server>>> = {
  postgres: async () => (await import("../support/testServer.ts")).openTestServer(),
  mariadb: async () => (await import("../support/mariadbServer.ts")).openMariadbServer(),
  clickhouse: async () => (await import("../support/clickhouseServer.ts")).openClickhouseServer(),
};

function findServer(name: keyof SharedServers): Promise<Server> {
  const server = servers.get(name) ?? openServer[name]();
  servers.set(name, server);
  return server;
}

/**
 * The seed of all random tests. The quick layer and CI repeat one, so that a red run means a change;
 * `npm run test:deep` by hand draws a new one.
 */
const repeatedSeed = 20261122;
const seed =
  process.env["SEED"] ??
  String(layer === "quick" || process.env["CI"] ? repeatedSeed : Date.now() % 2 ** 31);
process.stdout.write(`SEED=${seed}, the ${layer} layer\n`);
if (files.length < matching.length)
  process.stdout.write(`${matching.length - files.length} files are the same in both layers\n`);

const folder = openTestFolder(layer);
// The folder of the server too.
process.env["TMPDIR"] = folder.path;
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    folder.close();
    process.exit(1);
  });
/** Threads of the engine in the quick layer load one file; those of the deep layer its sources. */
const bundle =
  layer === "quick"
    ? await bundleThread({
        entry: join(root, "../engine/pool/worker.ts"),
        sourcesDir: join(root, "../engine"),
        lockFile: join(root, "../package-lock.json"),
        // Its modules hold the state of the thread.
        shared: ["piscina"],
        cacheDir,
      }).catch((failure: unknown) => {
        // There is no bundler for this machine.
        process.stdout.write(`threads are not bundled: ${String(failure)}\n`);
        return undefined;
      })
    : undefined;
/** Modules that every process of the run loads first. */
const hooks =
  layer === "quick"
    ? [
        ...(bundle ? [pathToFileURL(bundle.hook).href] : []),
        pathToFileURL(join(import.meta.dirname, "firstModule.ts")).href,
      ]
    : [];
/** Processor time of each server, known once it has ended. */
const serversMs = new Map<string, number>();
const report = createReport({ layer, write: (text) => void process.stdout.write(text) });
try {
  await runFiles({
    root,
    files: files.toSorted((a, b) => hintOf(b) - hintOf(a)),
    processCount: Math.min(availableParallelism() + 2, files.length),
    env: {
      ...process.env,
      MANIFOLD_TESTS: layer,
      SEED: seed,
      // A warm-up costs each host seconds of two cores, and a thread 50 ms; their own tests set others.
      MANIFOLD_WARM_UP: "off",
      ...(isSoak && { MANIFOLD_SOAK: "1" }),
      ...(layer === "quick" && { MANIFOLD_WORKERS: "1" }),
      NODE_OPTIONS: [
        process.env["NODE_OPTIONS"] ?? "",
        ...hooks.map((hook) => `--import=${hook}`),
      ].join(" "),
      // Processes and their threads share compiled modules.
      NODE_COMPILE_CACHE: join(cacheDir, "compiled"),
    },
    findServer,
    onResult(result) {
      times[result.file] = Math.round(result.durationMs);
      const { output } = result;
      report.add({ ...result, output: bundle?.inSources(output) ?? output });
    },
  });
} finally {
  for (const [name, server] of servers) {
    const beforeMs = processorTimeMs();
    await (await server.catch(() => undefined))?.close();
    serversMs.set(name, processorTimeMs() - beforeMs);
  }
  folder.close();
}
mkdirSync(cacheDir, { recursive: true });
writeFileSync(timesFile, JSON.stringify(times));
if (!report.end(processorTimeMs(), serversMs)) process.exitCode = 1;
