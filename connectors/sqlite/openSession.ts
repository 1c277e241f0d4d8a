import type { SQLInputValue } from "node:sqlite";
import { PluginError } from "../../plugins/protocol/index.ts";
import type { Reader } from "../../plugins/rows/index.ts";
import type { SqlSession } from "../../plugins/sql/index.ts";
import type {
  RequestedFile,
  SqliteItem,
  SqliteRequest,
  SqliteRows,
  StatementColumn,
} from "./messages.ts";
import type { NumberMeaning } from "./types.ts";

/** A process that reads database files. */
export type SqliteReader = Reader<SqliteRequest, SqliteItem>;

/** A database file, open in a reader process. */
export interface SqliteSession extends SqlSession {
  /** Meaning of numbers in datetime columns, from the account. */
  readonly numbers: NumberMeaning;
  /** All rows of a small statement of our own. */
  all(text: string, signal: AbortSignal, values?: readonly SQLInputValue[]): Promise<SqliteRows>;
  /** The columns of a statement, which does not run. */
  columns(text: string, signal: AbortSignal): Promise<readonly StatementColumn[]>;
}

export interface SessionOptions {
  readonly file: RequestedFile;
  readonly numbers: NumberMeaning;
  /** Ends every call. */
  readonly deadline: AbortSignal;
  /** Names a failure of a call. */
  failure(thrown: unknown): Error;
}

/** Opens a session over a reader, and the file in it. */
export async function openSession(
  reader: SqliteReader,
  { file, numbers, deadline, failure }: SessionOptions,
): Promise<SqliteSession> {
  async function* rows(text: string, values: readonly SQLInputValue[], signal: AbortSignal) {
    const until = AbortSignal.any([signal, deadline]);
    try {
      for await (const item of reader.call({ kind: "rows", file, text, values }, { signal: until }))
        if (item.kind === "rows") yield item.rows;
    } catch (thrown) {
      throw until.aborted ? cancelled(until) : thrown;
    }
  }
  async function all(text: string, signal: AbortSignal, values: readonly SQLInputValue[] = []) {
    const found: SqliteRows[number][] = [];
    for await (const block of rows(text, values, signal)) found.push(...block);
    return found;
  }
  const [version] = await all("select schema_version from pragma_schema_version", deadline);
  return {
    numbers,
    schemaVersion: `${file.identity} ${String(version?.[0])}`,
    async *rows({ text, values }, signal) {
      try {
        yield* rows(text, values.map(asInput), signal);
      } catch (thrown) {
        throw failure(thrown);
      }
    },
    all,
    async columns(text, outer) {
      const signal = AbortSignal.any([outer, deadline]);
      for await (const item of reader.call({ kind: "columns", file, text }, { signal }))
        if (item.kind === "columns") return item.columns;
      throw new PluginError("PLUGIN_BUG", ["a reader described no columns"]);
    },
  };
}

/** The driver values of this dialect are numbers, texts and null. */
export function asInput(value: unknown): SQLInputValue {
  return typeof value === "number" || typeof value === "string" ? value : null;
}

/** Returns the error of an aborted call: the abort's reason if plugins may throw it, otherwise a timeout or cancel. */
export function cancelled({ reason }: AbortSignal): PluginError {
  if (reason instanceof PluginError) return reason;
  const isLate = reason instanceof DOMException && reason.name === "TimeoutError";
  return new PluginError("PLUGIN_TIMEOUT", [
    isLate ? "SQLite: the statement exceeded its time limit" : "SQLite: the call was cancelled",
  ]);
}
