import type { SQLInputValue } from "node:sqlite";
import { PluginError } from "../../plugins/protocol/index.ts";
import type { Reader } from "../../plugins/rows/index.ts";
import {
  allRows,
  cancelledCall,
  type SqlSession,
  type Statement,
} from "../../plugins/sql/index.ts";
import type { RequestedFile, SqliteItem, SqliteRequest, StatementColumn } from "./messages.ts";
import type { NumberMeaning } from "./types.ts";

/** A process that reads database files. */
export type SqliteReader = Reader<SqliteRequest, SqliteItem>;

/** A database file, open in a reader process. */
export interface SqliteSession extends SqlSession {
  /** Meaning of numbers in datetime columns, as set by the account. */
  readonly numbers: NumberMeaning;
  /** Returns the columns of a statement without running it. */
  columns(text: string, signal: AbortSignal): Promise<readonly StatementColumn[]>;
}

export interface SessionOptions {
  readonly file: RequestedFile;
  readonly numbers: NumberMeaning;
  /** Aborting this signal stops every call of the session. */
  readonly deadline: AbortSignal;
}

/** Opens a session on a file in a reader process. */
export async function openSession(
  reader: Pick<SqliteReader, "call">,
  { file, numbers, deadline }: SessionOptions,
): Promise<SqliteSession> {
  async function* rows({ text, values: given }: Statement, signal: AbortSignal) {
    const until = AbortSignal.any([signal, deadline]);
    const values = given.map(asInput);
    try {
      for await (const item of reader.call({ kind: "rows", file, text, values }, { signal: until }))
        if (item.kind === "rows") yield item.rows;
    } catch (thrown) {
      throw until.aborted ? cancelledCall(until, "SQLite") : thrown;
    }
  }
  const [version] = await allRows(
    { rows },
    { text: "select schema_version from pragma_schema_version" },
    deadline,
  );
  return {
    numbers,
    schemaVersion: `${file.identity} ${String(version?.[0])}`,
    rows,
    async columns(text, outer) {
      const signal = AbortSignal.any([outer, deadline]);
      let found: readonly StatementColumn[] | undefined;
      // Leaving the loop early would stop the call. A process that does not stop quickly because it is busy is killed.
      for await (const item of reader.call({ kind: "columns", file, text }, { signal }))
        if (item.kind === "columns") found = item.columns;
      if (found) return found;
      throw new PluginError("PLUGIN_BUG", ["a reader described no columns"]);
    },
  };
}

/** Converts driver values of this dialect: numbers, strings and null. */
function asInput(value: unknown): SQLInputValue {
  return typeof value === "number" || typeof value === "string" ? value : null;
}
