/** A cell in a form that the host accepts. */
export type Cell = string | number | null;

/** A table of a file. A CSV file has one table; a workbook has one table per sheet. */
export interface FileTable {
  /** Name of the sheet; "" for a file with a single table. */
  readonly name: string;
  /** Unique, non-empty column names. */
  readonly header: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Rows with more or fewer cells than the header. Row numbers count from 1 below the header. */
  readonly uneven: readonly { readonly row: number; readonly width: number }[];
}

/** The error for a file that cannot be read. Its message tells people the reason. */
export class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";
}

/** Maximum size of an unpacked file in bytes. */
export const mostUnpackedBytes = 1024 * 2 ** 20;

/** Creates a table. Columns without a name, and columns that share a name, get a number. */
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
 * Returns a value from JSON or Parquet as a cell. Integers beyond 2^53 become strings that keep all digits; lists and
 * objects become JSON.
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

/**
 * Returns whether a number arrives at the host unchanged. Integers beyond the precision of a double have already lost
 * digits.
 */
export const isExact = (value: number): boolean =>
  !Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) >= 1e21;
