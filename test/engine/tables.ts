import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  Batch,
  ColumnDefinition,
  NamedBatch,
  Scalar,
  BatchColumn,
} from "../../engine/index.ts";
import type { Row } from "./referenceEngine.ts";

/** Creates a folder for one test file. */
export async function makeFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "engine-test-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Converts rows to a batch. */
export function toBatch(columns: readonly ColumnDefinition[], rows: readonly Row[]): NamedBatch {
  const vectors = columns.map(({ name, type }): BatchColumn => {
    if (type !== "text")
      return {
        type,
        values: Float64Array.from(rows, (row) => (row[name] === null ? NaN : Number(row[name]))),
      };
    const dictionary = [
      ...new Set(rows.flatMap((row) => (row[name] === null ? [] : [String(row[name])]))),
    ];
    const places = new Map(dictionary.map((text, code) => [text, code]));
    return {
      type,
      codes: Int32Array.from(rows, (row) => places.get(String(row[name])) ?? -1),
      dictionary,
    };
  });
  return {
    names: columns.map(({ name }) => name),
    batch: { rowCount: rows.length, columns: vectors },
  };
}

/** Converts an answer to rows of cells. */
export function toCells(batch: Batch): Scalar[][] {
  return Array.from({ length: batch.rowCount }, (_, row) =>
    batch.columns.map((column) => {
      if (column.type === "text")
        return column.codes[row] < 0 ? null : column.dictionary[column.codes[row]];
      return Number.isNaN(column.values[row]) ? null : column.values[row];
    }),
  );
}

/** Asserts that a promise is rejected with an error code. */
export async function rejects(promise: Promise<unknown>, code: string): Promise<void> {
  try {
    await promise;
  } catch (error) {
    const found = (error as { code?: unknown }).code;
    if (found !== code)
      throw new Error(`expected ${code}, got ${String(found)}: ${String(error)}`, { cause: error });
    return;
  }
  throw new Error(`expected ${code}, but the promise was fulfilled`);
}
