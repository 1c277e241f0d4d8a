import type { Cell, Query, QueryColumn } from "../protocol/index.ts";
import { isSameRow } from "./compareAnswers.ts";
import { compareCells } from "./compareCells.ts";
import type { Finding, RowPair } from "./report.ts";
import { protocolSemantics } from "./semantics.ts";

type Row = readonly Cell[];
type Rows = readonly Row[];

/** Number of rows to show before and after the first row that differs. */
const neighborCount = 2;

/**
 * Finds the first row in which two answers to a query differ, and returns the rows around it. Answers without an order
 * are sorted first, so that equal rows are paired, and a row that only one answer contains has no counterpart. Groups
 * with the same keys are paired. O(rows * log rows).
 */
export function findDifference(
  query: Query,
  expected: Rows,
  answered: Rows,
  rounding?: readonly number[],
): Pick<Finding, "difference" | "expected" | "answered"> {
  const isSorted = (query.order?.length ?? 0) === 0;
  const isSame = (one: Row, other: Row) => isSameRow(one, other, rounding);
  const pairs = isSorted
    ? pairSorted(query, expected, answered, isSame)
    : expected
        .concat(answered.slice(expected.length))
        .map((_, at) => pairOf(expected[at], answered[at], isSame));
  const row = Math.max(
    0,
    pairs.findIndex(({ isDifferent }) => isDifferent),
  );
  const firstShown = Math.max(0, row - neighborCount);
  const rows = pairs.slice(firstShown, row + neighborCount + 1);
  const { length: expectedCount } = expected;
  const { length: answeredCount } = answered;
  const columns = query.columns.map(nameOf);
  return {
    difference: { expectedCount, answeredCount, columns, row, firstShown, rows, isSorted },
    expected: rows.flatMap((pair) => (pair.expected ? [pair.expected] : [])),
    answered: rows.flatMap((pair) => (pair.answered ? [pair.answered] : [])),
  };
}

type IsSame = (one: Row, other: Row) => boolean;

function pairOf(expected: Row | undefined, answered: Row | undefined, isSame: IsSame): RowPair {
  return {
    ...(expected && { expected }),
    ...(answered && { answered }),
    isDifferent: !expected || !answered || !isSame(expected, answered),
  };
}

/** Sorts two answers and pairs their rows: groups by their keys, and plain rows by all their cells. */
function pairSorted(
  { columns, options }: Query,
  expected: Rows,
  answered: Rows,
  isSame: IsSame,
): readonly RowPair[] {
  const every = columns.map((_, at) => at);
  const keys = every.filter((at) => columns[at]?.aggregation === undefined);
  const paired = options.pushdown && keys.length < every.length ? keys : every;
  const sorted = (rows: Rows) =>
    rows.toSorted(
      (one, other) => compareRows(one, other, paired) || compareRows(one, other, every),
    );
  const [left, right] = [sorted(expected), sorted(answered)];
  const pairs: RowPair[] = [];
  let [at, otherAt] = [0, 0];
  while (at < left.length || otherAt < right.length) {
    const [one, other] = [left[at], right[otherAt]];
    const sign = !one ? 1 : !other ? -1 : isSame(one, other) ? 0 : compareRows(one, other, paired);
    pairs.push(pairOf(sign > 0 ? undefined : one, sign < 0 ? undefined : other, isSame));
    if (sign <= 0) at++;
    if (sign >= 0) otherAt++;
  }
  return pairs;
}

function compareRows(one: Row, other: Row, columns: readonly number[]): number {
  for (const at of columns) {
    const sign = compareCells(one[at] ?? null, other[at] ?? null, "asc", protocolSemantics);
    if (sign !== 0) return sign;
  }
  return 0;
}

/** Describes a column of an answer, such as `sum(km)` or `week(day)`. */
function nameOf({ column_id, aggregation, level, bin }: QueryColumn): string {
  const truncated = level === undefined ? column_id : `${level}(${column_id})`;
  const read = bin === undefined ? truncated : `bin(${truncated})`;
  return aggregation === undefined ? read : `${aggregation}(${read})`;
}
