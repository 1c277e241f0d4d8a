import type { SQLInputValue } from "node:sqlite";
import { PluginError } from "../../plugins/protocol/index.ts";
import type { Reader } from "../../plugins/rows/index.ts";
import {
  allRows,
  type CallDeadline,
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
  /** The account's setting for how numbers in datetime columns are read. */
  readonly numbers: NumberMeaning;
  /** Returns the columns of a statement without running it. */
  columns(text: string, signal: AbortSignal): Promise<readonly StatementColumn[]>;
}

export interface SessionOptions {
  readonly file: RequestedFile;
  readonly numbers: NumberMeaning;
  /** The deadline, whose signal stops every call of the session. */
  readonly deadline: CallDeadline;
}

/** Opens a session on a file in a reader process. */
export async function openSession(
  reader: Pick<SqliteReader, "call">,
  { file, numbers, deadline }: SessionOptions,
): Promise<SqliteSession> {
  async function* rows({ text, values: given }: Statement, signal: AbortSignal) {
    const until = AbortSignal.any([signal, deadline.signal]);
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
    deadline.signal,
  );
  return {
    numbers,
    schemaVersion: `${file.identity} ${String(version?.[0])}`,
    rows,
    async unhurried() {
      deadline.lift();
    },
    async columns(text, outer) {
      const signal = AbortSignal.any([outer, deadline.signal]);
      let found: readonly StatementColumn[] | undefined;
      // The loop must not end early: that would stop the call, and a process that is too busy to stop quickly is
      // killed.
      for await (const item of reader.call({ kind: "columns", file, text }, { signal }))
        if (item.kind === "columns") found = item.columns;
      if (found) return found;
      throw new PluginError("PLUGIN_BUG", [
        "the reader process did not describe the columns of the statement",
      ]);
    },
  };
}

/** Returns a number or a string unchanged, and null for any other value. */
function asInput(value: unknown): SQLInputValue {
  return typeof value === "number" || typeof value === "string" ? value : null;
}
