/** A cell as the host takes it. */
export type Cell = string | number | null;

/** A table of a file: a CSV has one, a workbook one a sheet. */
export interface FileTable {
  /** The name of the sheet; "" for a file that is one table. */
  readonly name: string;
  /** Unique names, none empty. */
  readonly header: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Rows that are wider or narrower than the header, by number counted from 1 below the header. */
  readonly uneven: readonly { readonly row: number; readonly width: number }[];
}

/** A file that cannot be read, with the reason for people. */
export class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";
}

/** Bytes that a packed file may unpack to. */
export const mostUnpackedBytes = 1024 * 2 ** 20;

/** Makes a table: columns without a name get a number, names that appear twice as well. */
export function createTable(
  name: string,
  header: readonly string[],
  rows: readonly (readonly Cell[])[],
): FileTable {
  const taken = new Set<string>();
  const unique = header.map((given, at) => {
    const own = given.trim() || `column ${at + 1}`;
    let free = own;
    for (let number = at + 1; taken.has(free); number++) free = `${own} ${number}`;
    taken.add(free);
    return free;
  });
  const uneven = rows.flatMap((row, at) =>
    row.length === header.length ? [] : [{ row: at + 1, width: row.length }],
  );
  return { name, header: unique, rows, uneven };
}

/**
 * Returns a value of JSON or Parquet as a cell: whole numbers beyond 2^53 keep their digits as texts, lists and objects
 * are JSON.
 */
export function cellOf(value: unknown): Cell {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value === "string") return value;
  if (typeof value === "number")
    return Number.isFinite(value) ? (isExact(value) ? value : String(value)) : null;
  if (typeof value === "bigint")
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === "boolean") return Number(value);
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === "bigint" ? String(each) : each,
  );
}

/** Whether a number is one that the host takes as a number: no whole number whose digits a double has lost. */
export const isExact = (value: number): boolean =>
  !Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) >= 1e21;
