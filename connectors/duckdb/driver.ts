import { availableParallelism } from "node:os";
import {
  PluginError,
  type ConnectorOptions,
  type PluginErrorCode,
} from "../../plugins/protocol/index.ts";
import { ReaderEnded } from "../../plugins/rows/index.ts";
import {
  cancelledCall,
  checkFileProperties,
  createPool,
  credentialsKey,
  findFile,
  openCallDeadline,
  type SqlDriver,
} from "../../plugins/sql/index.ts";
import { findSource } from "./findDataFiles.ts";
import { openSession } from "./openSession.ts";
import { openSources } from "./openSources.ts";
import { properties } from "./properties.ts";
import { describeStatement, listTables } from "./tables.ts";

/**
 * Maximum number of concurrent statements across all accounts, and also of processes. One organization can use at most
 * half of each.
 */
const mostStatements = 2 * Math.max(2, Math.min(4, Math.floor(availableParallelism() / 2)));

export interface DuckdbDriver extends SqlDriver {
  /** Returns the ids of the processes in which engines are open. */
  pids(): readonly number[];
}

/** Opens the reader of DuckDB databases and of files of rows. DuckDB runs in separate processes, one per source. */
export function openDriver({ reach, timeoutMs, driverUrl }: ConnectorOptions): DuckdbDriver {
  const sources = openSources({ most: mostStatements, driverUrl });
  const places = createPool<object>({
    source: "DuckDB",
    open: async () => ({}),
    end: async () => {},
    most: mostStatements,
    mostPerHolder: mostStatements / 2,
    idleMs: 1000,
    waitMs: timeoutMs / 2,
  });
  return {
    async use(credentials, signal, run, tenant) {
      checkFileProperties(credentials, "DuckDB", properties);
      const found = await findFile(credentials, reach);
      const source = await findSource(found, reach);
      const deadline = openCallDeadline(signal, timeoutMs);
      const work = () =>
        sources.use(found.path, source, (open) => run(openSession(open, source.version, deadline)));
      try {
        const holder = tenant?.organization ?? credentialsKey(credentials);
        return await places.use(deadline.signal, work, undefined, holder);
      } catch (thrown) {
        throw deadline.signal.aborted
          ? cancelledCall(deadline.signal, "DuckDB")
          : failureOf(thrown, found.path);
      } finally {
        deadline.close();
      }
    },
    tables: listTables,
    describe: describeStatement,
    failure: (thrown) => failureOf(thrown, ""),
    async release(credentials) {
      // If the file no longer exists or is no longer in an allowed folder, its process cannot be found.
      const found = await findFile(credentials, reach).catch(() => undefined);
      if (found) await sources.release(found.path);
    },
    pids: sources.pids,
    async close() {
      await places.close();
      await sources.close();
    },
  };
}

/** Codes of plugin errors, keyed by the kind of failure. Each message of DuckDB starts with the kind. */
const kinds: readonly (readonly [
  pattern: RegExp,
  code: PluginErrorCode,
  meaning: string | undefined,
])[] = [
  [
    /not a valid DuckDB database file/,
    "PLUGIN_INVALID",
    "host must name a DuckDB database or a .parquet, .csv, .tsv, .json, .ndjson or .jsonl file",
  ],
  [
    /Could not set lock/,
    "PLUGIN_BUSY",
    "another program has the database open for writing; try again later",
  ],
  [
    /^Permission Error/,
    "PLUGIN_INVALID",
    "the statement does more than read the files of the account",
  ],
  [
    /^Out of Memory Error/,
    "PLUGIN_SOURCE_FAILED",
    "the statement needs more memory or disk space than allowed; filter or group it",
  ],
  [
    /Corrupt database file|Could not read enough bytes/,
    "PLUGIN_UNREADABLE",
    "the file is damaged or truncated",
  ],
  [
    /^(FATAL|INTERNAL) Error/,
    "PLUGIN_UNREADABLE",
    "DuckDB stopped reading the file; it may be damaged",
  ],
];

/** Returns a PluginError for a failure of DuckDB. Its message hides the path of the account's file. */
function failureOf(thrown: unknown, path: string): PluginError {
  if (thrown instanceof PluginError) return thrown;
  if (thrown instanceof ReaderEnded)
    return new PluginError("PLUGIN_UNREADABLE", [`DuckDB: ${thrown.message}`], { cause: thrown });
  if (!(thrown instanceof Error))
    return new PluginError("PLUGIN_BUG", ["an unexpected error"], { cause: thrown });
  const known = kinds.find(([pattern]) => pattern.test(thrown.message));
  const [line = ""] = thrown.message.split("\n");
  const shown = path === "" ? line : line.replaceAll(path, "the file");
  return new PluginError(known?.[1] ?? "PLUGIN_SOURCE_FAILED", [`DuckDB: ${known?.[2] ?? shown}`], {
    cause: thrown,
  });
}
