import type { Cell, FileTable } from "./fileTable.ts";

/** Rows of one call. */
const batchRows = 5_000;
/** Cells of one call: a wide table is sent in more calls, each far below the limit of a body. */
const batchCells = 250_000;
/** The most that a call takes. */
const mostRows = 10_000;

/** Rows of one push, with their numbers in the file. */
export interface PushBatch {
  readonly rows: readonly (readonly Cell[])[];
  /** Numbers of the rows, counted from 1 below the header. */
  readonly numbers: readonly number[];
}

/**
 * Cuts a table into pushes. The host finds the types of columns in the first push: it has one row of each kind of value
 * of every column, so that the types found in it are those of all rows.
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

/** The rows with the first value of each kind of a column. */
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

/** The kind of a value, which decides the type of a column: a number, a text, or a date under some orders. */
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
  // The form of the time and of the numbers: digits and letters as such.
  const form = rest.replaceAll(/\d+/g, "9").slice(0, 12);
  const lengths = `${first.length}${second.length}${third.length}`;
  const isClock = !/(?:[T ](?:2[4-9]|[3-9]\d))|:[6-9]\d/.test(rest);
  return [separator, lengths, ...orders.map(Number), form, Number(isClock)].join(" ");
}
