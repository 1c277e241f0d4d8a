import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { SharedServers } from "../support/sharedServer.ts";
import { bundleReaders } from "./bundleReaders.ts";
import { bundleThread } from "./bundleThread.ts";
import { processorTimeMs } from "./processorTime.ts";
import { runFiles, type FileResult, type RunOptions } from "./runFiles.ts";
import { openTestFolder } from "./testFolder.ts";

/** The entry modules of the processes that parse untrusted bytes, relative to the tree. */
const readerEntries = [
  "connectors/duckdb/reader.ts",
  "connectors/rest/pageReader.ts",
  "connectors/sqlite/reader.ts",
  "plugins/rows/formats/fileReader.ts",
];

/** The folder to which the paths of test files are relative. */
export const testsDir = join(import.meta.dirname, "..");

export interface OpenRunOptions {
  readonly layer: "quick" | "deep";
  /** Whether each file runs its soak rounds. Has an effect only in the deep layer. */
  readonly isSoak?: boolean;
}

/** The folder and servers that the files of a run share, and the modules that their processes load first. */
export interface Run {
  /**
   * Runs test files. By default, `processCount` is one more than the number of processors, because files spend part of
   * their time waiting.
   */
  runFiles(
    options: Pick<
      RunOptions,
      "files" | "signal" | "isOnlyDeep" | "onResult" | "onBegin" | "onUse"
    > & {
      readonly processCount?: number;
      readonly seed: string;
    },
  ): Promise<void>;
  /** Duration of each file in the last run of this layer, in milliseconds. It is used only to order files. */
  readonly times: Record<string, number>;
  /** Saves the durations for the next run. */
  keepTimes(): void;
  /** Stops the servers and removes the folder. Returns the processor time of each server in milliseconds. */
  close(): Promise<ReadonlyMap<string, number>>;
}

type Server = SharedServers[keyof SharedServers] & { close(): Promise<void> };

const openServer: Readonly<Record<keyof SharedServers, () => Promise<Server>>> = {
  postgres: async () => (await import("../support/testServer.ts")).openTestServer(),
  mariadb: async () => (await import("../support/mariadbServer.ts")).openMariadbServer(),
  clickhouse: async () => (await import("../support/clickhouseServer.ts")).openClickhouseServer(),
};

/** Opens a run. A shared server starts when a file first requests it. */
export async function openRun({ layer, isSoak = false }: OpenRunOptions): Promise<Run> {
  const cacheDir = join(testsDir, "../node_modules/.cache/manifold-tests");
  const timesFile = join(cacheDir, `${layer}.json`);
  const times = readTimes(timesFile);
  const servers = new Map<keyof SharedServers, Promise<Server>>();
  const findServer = (name: keyof SharedServers): Promise<Server> => {
    const server = servers.get(name) ?? openServer[name]();
    servers.set(name, server);
    return server;
  };
  const folder = openTestFolder(layer);
  // Servers create their folders in this folder, too.
  process.env["TMPDIR"] = folder.path;
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      folder.close();
      process.exit(1);
    });
  /** Threads of the engine load one bundled file. */
  const bundle = await bundleThread({
    entry: join(testsDir, "../engine/pool/worker.ts"),
    sourcesDir: join(testsDir, "../engine"),
    lockFile: join(testsDir, "../package-lock.json"),
    // The modules of this package contain the state of the thread, so there must not be a second copy.
    shared: ["piscina"],
    cacheDir,
  }).catch((failure: unknown) => {
    // The bundler is not available for this platform.
    process.stdout.write(`threads are not bundled: ${String(failure)}\n`);
    return undefined;
  });
  /** Processes that parse untrusted files also start from bundles. */
  const readersHook = await bundleReaders({
    entries: readerEntries.map((file) => join(testsDir, "..", file)),
    folders: ["connectors", "plugins"].map((folder) => join(testsDir, "..", folder)),
    lockFile: join(testsDir, "../package-lock.json"),
    // The package loads its native library from its own folder.
    external: ["@duckdb/node-bindings"],
    cacheDir,
  }).catch((failure: unknown) => {
    process.stdout.write(`readers are not bundled: ${String(failure)}\n`);
    return undefined;
  });
  /** Modules that every process of the run loads first. */
  const hooks = [
    ...(bundle ? [pathToFileURL(bundle.hook).href] : []),
    ...(readersHook === undefined ? [] : [pathToFileURL(readersHook).href]),
    ...(layer === "quick" ? [pathToFileURL(join(import.meta.dirname, "firstModule.ts")).href] : []),
  ];
  const env = {
    ...process.env,
    MANIFOLD_TESTS: layer,
    // A warm-up costs seconds on two cores per host, and 50 ms per thread. Tests of the warm-up turn it on.
    MANIFOLD_WARM_UP: "off",
    ...(isSoak && { MANIFOLD_SOAK: "1" }),
    ...(layer === "quick" && { MANIFOLD_WORKERS: "1" }),
    NODE_OPTIONS: [
      process.env["NODE_OPTIONS"] ?? "",
      ...hooks.map((hook) => `--import=${hook}`),
    ].join(" "),
    // Processes and their threads share the cache of compiled modules.
    NODE_COMPILE_CACHE: join(cacheDir, "compiled"),
  };
  return {
    times,
    runFiles({ seed, onResult, processCount = availableParallelism() + 1, ...options }) {
      return runFiles({
        ...options,
        root: testsDir,
        processCount: Math.min(processCount, options.files.length),
        env: { ...env, SEED: seed },
        findServer,
        onResult(result: FileResult) {
          times[result.file] = Math.round(result.durationMs);
          const { output } = result;
          onResult({ ...result, output: bundle?.inSources(output) ?? output });
        },
      });
    },
    keepTimes() {
      mkdirSync(cacheDir, { recursive: true });
      writeFileSync(timesFile, JSON.stringify(times));
    },
    async close() {
      const serversMs = new Map<string, number>();
      for (const [name, server] of servers) {
        const beforeMs = processorTimeMs();
        await (await server.catch(() => undefined))?.close();
        serversMs.set(name, processorTimeMs() - beforeMs);
      }
      folder.close();
      return serversMs;
    },
  };
}

function readTimes(timesFile: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(timesFile, "utf8")) as Record<string, number>;
  } catch {
    // This is the first run, or the file was truncated. Either is harmless, because durations affect only the order of
    // files.
    return {};
  }
}
