import { availableParallelism } from "node:os";
import {
  PluginError,
  type ConnectorOptions,
  type Credentials,
  type PluginErrorCode,
} from "../../plugins/protocol/index.ts";
import {
  openReader,
  openReaderPool,
  ReaderEnded,
  ReaderFailure,
} from "../../plugins/rows/index.ts";
import {
  cancelledCall,
  checkFileProperties,
  credentialsKey,
  findFile,
  openCallDeadline,
  type SqlDriver,
} from "../../plugins/sql/index.ts";
import { openSession, type SqliteReader, type SqliteSession } from "./openSession.ts";
import { properties } from "./properties.ts";
import { describeStatement, listTables } from "./tables.ts";
import { numberMeanings, type NumberMeaning } from "./types.ts";

/** Maximum number of concurrent processes across all accounts. One organization can use at most half of them. */
const mostReaders = Math.max(4, Math.min(8, availableParallelism()));
/** Memory limit of a process, in resident bytes. */
const memoryBytes = 2 ** 30;
/**
 * Maximum bytes of a value. Without this limit, statements could create values of any size, which the reader keeps in
 * memory.
 */
const mostValueBytes = 64 * 2 ** 20;

export interface SqliteDriver extends SqlDriver<SqliteSession> {
  /** Returns the ids of the processes that read files. */
  pids(): readonly number[];
}

/**
 * Opens the reader of SQLite files. Each statement runs in a separate process, which is killed if the call is
 * cancelled.
 */
export function openDriver({ reach, timeoutMs, sizeBytes }: ConnectorOptions): SqliteDriver {
  const readers = openReaderPool<SqliteReader>({
    source: "SQLite",
    open: () => openReader({ module: new URL("./reader", import.meta.url), memoryBytes }),
    most: mostReaders,
    idleMs: 60_000,
    waitMs: timeoutMs / 2,
  });
  const valueBytes = Math.min(sizeBytes, mostValueBytes);
  const lockMs = Math.min(5000, Math.ceil(timeoutMs / 4));
  return {
    async use(credentials, signal, run, tenant) {
      checkFileProperties(credentials, "SQLite", properties);
      const numbers = readNumberMeaning(credentials);
      const found = await findFile(credentials, reach);
      if (found.isFolder) throw invalid("host must name a database file, not a folder");
      const deadline = openCallDeadline(signal, timeoutMs);
      const work = async (reader: SqliteReader) => {
        const file = { path: found.path, identity: found.identity, valueBytes, lockMs };
        return run(await openSession(reader, { file, numbers, deadline }));
      };
      try {
        const owner = tenant?.organization ?? credentialsKey(credentials);
        return await readers.use(owner, deadline.signal, work);
      } catch (thrown) {
        throw deadline.signal.aborted ? cancelledCall(deadline.signal, "SQLite") : failure(thrown);
      } finally {
        deadline.close();
      }
    },
    tables: listTables,
    describe: describeStatement,
    failure,
    isLost: (thrown) => thrown instanceof ReaderEnded && thrown.memoryBytes === undefined,
    pids: readers.pids,
    close: readers.close,
  };
}

function readNumberMeaning({ properties }: Credentials): NumberMeaning {
  const given = properties["datetimes"] || "none";
  const meaning = numberMeanings.find((each) => each === given);
  if (meaning) return meaning;
  throw invalid(
    `properties.datetimes must be one of ${numberMeanings.join(", ")}: the meaning of numbers in datetime columns`,
  );
}

type Meaning = readonly [code: PluginErrorCode, meaning: string];

const authorizationRefused = 23;
const notDatabase = "the file is not an SQLite database";
const notOnlyReading: Meaning = [
  "PLUGIN_INVALID",
  "the statement does more than read tables of this database",
];
const unfinished: Meaning = [
  "PLUGIN_SOURCE_FAILED",
  "a change to the database was interrupted; open it once with a program that can write to it",
];

/**
 * For each result code of SQLite, extended or primary (sqlite.org/rescode.html), the code of a plugin error and an
 * explanation.
 */
const meanings: Readonly<Record<number, Meaning>> = {
  5: ["PLUGIN_BUSY", "another program has locked the database for writing; try again later"],
  6: ["PLUGIN_BUSY", "another program has locked a table for writing; try again later"],
  7: ["PLUGIN_SOURCE_FAILED", "the statement needs more memory than is available"],
  8: notOnlyReading,
  264: unfinished,
  520: unfinished,
  776: unfinished,
  10: ["PLUGIN_SOURCE_FAILED", "the disk failed, or the file was truncated while it was read"],
  11: ["PLUGIN_UNREADABLE", "the database file is damaged"],
  13: ["PLUGIN_SOURCE_FAILED", "the disk for temporary files is full"],
  14: ["PLUGIN_SOURCE_FAILED", "the database file cannot be opened for reading"],
  18: ["PLUGIN_UNREADABLE", "a value or row is larger than the limit for answers"],
  [authorizationRefused]: notOnlyReading,
  26: ["PLUGIN_INVALID", notDatabase],
};

/** Returns an error for a failure of SQLite or of a reader process. */
function failure(thrown: unknown): Error {
  if (thrown instanceof PluginError) return thrown;
  if (thrown instanceof ReaderEnded)
    return new PluginError("PLUGIN_UNREADABLE", [`SQLite: ${thrown.message}`], { cause: thrown });
  if (!(thrown instanceof ReaderFailure))
    return new PluginError("PLUGIN_BUG", ["an unexpected error"], { cause: thrown });
  // SQLite has no separate error code for a function that the authorizer refuses.
  const isRefused = /^not authorized|prohibited/.test(thrown.message);
  const resultCode = isRefused ? authorizationRefused : Number(thrown.code ?? 1);
  const known = meanings[resultCode] ?? meanings[resultCode & 0xff];
  const [code, meaning] = known ?? ["PLUGIN_SOURCE_FAILED", thrown.message];
  return new PluginError(code, [`SQLite: ${meaning}`], { cause: thrown });
}

function invalid(detail: string): PluginError {
  return new PluginError("PLUGIN_INVALID", [detail]);
}
