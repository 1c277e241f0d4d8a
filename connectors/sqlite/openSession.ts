import type { SQLInputValue, SQLOutputValue } from "node:sqlite";
import type { SqlSession } from "../../plugins/sql/index.ts";
import type { RequestedFile, StatementColumn } from "./messages.ts";
import type { Reader } from "./openReader.ts";
import type { NumberMeaning } from "./types.ts";

/** A database file, open in a reader process. */
export interface SqliteSession extends SqlSession {
  /** Meaning of numbers in datetime columns, from the account. */
  readonly numbers: NumberMeaning;
  /** All rows of a small statement of our own. */
  all(
    text: string,
    signal: AbortSignal,
    values?: readonly SQLInputValue[],
  ): Promise<readonly (readonly SQLOutputValue[])[]>;
  /** The columns of a statement, which does not run. */
  columns(text: string, signal: AbortSignal): Promise<readonly StatementColumn[]>;
}

/**
 * Opens a session over a reader, and the file in it. Every call ends with `deadline` too, and fails with what `failure`
 * makes of a failure.
 */
export async function openSession(
  reader: Reader,
  file: RequestedFile,
  numbers: NumberMeaning,
  deadline: AbortSignal,
  failure: (thrown: unknown) => Error,
): Promise<SqliteSession> {
  async function* rows(text: string, values: readonly SQLInputValue[], signal: AbortSignal) {
    yield* reader.rows(file, text, values, AbortSignal.any([signal, deadline]));
  }
  async function all(text: string, signal: AbortSignal, values: readonly SQLInputValue[] = []) {
    const found: (readonly SQLOutputValue[])[] = [];
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
    columns: (text, signal) => reader.columns(file, text, AbortSignal.any([signal, deadline])),
  };
}

/** The driver values of this dialect are numbers, texts and null. */
export function asInput(value: unknown): SQLInputValue {
  return typeof value === "number" || typeof value === "string" ? value : null;
}
