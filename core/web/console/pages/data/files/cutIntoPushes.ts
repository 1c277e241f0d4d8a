import type { Cell, FileTable } from "./fileTable.ts";

/** Number of rows per call, for tables that are not wide. */
const batchRows = 5_000;
/** Maximum number of cells per call. Wide tables need more calls, which stay far below the limit for request bodies. */
const batchCells = 250_000;
/** Maximum number of rows that a call accepts. */
const mostRows = 10_000;

/** The rows of one push, with their row numbers in the file. */
export interface PushBatch {
  readonly rows: readonly (readonly Cell[])[];
  /** Row numbers, counted from 1 below the header. */
  readonly numbers: readonly number[];
}

/**
 * Splits a table into pushes. The host detects the types of columns in the first push. This push therefore contains one
 * row for each kind of value in every column, so that the detected types fit all rows.
 */
export function cutIntoPushes({ header, rows }: FileTable): readonly PushBatch[] {
  const evidence = evidenceOf(rows, header.length);
  const size = Math.max(1, Math.min(batchRows, Math.floor(batchCells / header.length)));
  const others = rows.flatMap((_, at) => (evidence.has(at) ? [] : [at]));
  const order = [...evidence, ...others];
  const batches: PushBatch[] = [];
  for (let from = 0; from < order.length;) {
    const length = from === 0 ? Math.max(size, evidence.size) : size;
    const part = order.slice(from, from + length);
    batches.push({ rows: part.map((at) => rows[at]!), numbers: part.map((at) => at + 1) });
    from += length;
  }
  return batches;
}

/** Returns the indexes of the rows that contain the first value of each kind in any column. */
function evidenceOf(rows: FileTable["rows"], width: number): ReadonlySet<number> {
  const found = new Set<number>();
  for (let column = 0; column < width; column++) {
    const kinds = new Set<string>();
    for (const [at, row] of rows.entries()) {
      const cell = row[column];
      if (cell === null || cell === undefined) continue;
      const kind = kindOf(cell);
      if (kinds.has(kind)) continue;
      kinds.add(kind);
      if (found.size < mostRows) found.add(at);
    }
  }
  return found;
}

const shape = /^(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(.*)$/s;

/**
 * Returns the kind of a value, which determines the type of its column: a number, a string, or a date with its possible
 * orders.
 */
function kindOf(cell: string | number): string {
  if (typeof cell === "number") return "number";
  const match = cell.length > 45 ? null : shape.exec(cell);
  if (!match) return "text";
  const [, first = "", separator = "", second = "", third = "", rest = ""] = match;
  const isDay = (year: string, month: string, day: string) => {
    if (year.length !== 4 || month.length > 2 || day.length > 2) return false;
    const date = new Date(0);
    date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
    return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  };
  const orders = [
    isDay(first, second, third),
    isDay(third, second, first),
    isDay(third, first, second),
  ];
  // Every run of digits becomes a 9, so that only the pattern of the time remains.
  const form = rest.replaceAll(/\d+/g, "9").slice(0, 12);
  const lengths = `${first.length}${second.length}${third.length}`;
  const isClock = !/(?:[T ](?:2[4-9]|[3-9]\d))|:[6-9]\d/.test(rest);
  return [separator, lengths, ...orders.map(Number), form, Number(isClock)].join(" ");
}
