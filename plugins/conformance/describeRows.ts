import type { Cell, Query } from "../protocol/index.ts";
import { differenceOf, isSameAnswer } from "./compareAnswers.ts";
import { findDifference } from "./findDifference.ts";

type Rows = readonly (readonly Cell[])[];

/** A wrong answer that no known deviation explains. */
export interface DescribedAnswer {
  readonly query: Query;
  readonly expected: Rows;
  readonly answered: Rows;
}

/** Describes how the rows of wrong answers differ from the expected rows, as a verb phrase such as "omits rows". */
export function describeRows(wrong: readonly DescribedAnswer[]): string {
  if (wrong.length === 0) return "returns wrong rows";
  const differences = wrong.map(({ expected, answered }) => differenceOf(expected, answered));
  if (differences.every(({ missing, surplus }) => missing.length + surplus.length === 0))
    return "returns rows in the wrong order";
  if (differences.every(({ surplus }) => surplus.length === 0)) return "omits rows";
  const hasAllRows = differences.every(({ missing }) => missing.length === 0);
  const repeatsRows = wrong.every(({ expected }, at) =>
    (differences[at]?.surplus ?? []).every((row) =>
      expected.some((each) => isSameAnswer([each], [row], false)),
    ),
  );
  if (hasAllRows && repeatsRows) return "repeats rows";
  if (wrong.every(repeatsGroup)) return "returns the same group more than once";
  if (hasAllRows) return "returns rows that should not be there";
  const areCells = differences.every(({ missing, surplus }) => missing.length === surplus.length);
  if (!areCells) return "omits rows and returns others";
  const columns = new Set(wrong.flatMap(({ query, ...rows }) => wrongColumns(query, rows)));
  return columns.size === 1
    ? `returns wrong cells in ${[...columns].join("")}`
    : "returns wrong cells";
}

/** Returns whether an answer contains several rows for one group. These rows may differ in their aggregated cells. */
function repeatsGroup({ query: { columns, options }, answered }: DescribedAnswer): boolean {
  if (!options.pushdown) return false;
  const keys = answered.map((row) =>
    JSON.stringify(row.filter((_, at) => columns[at]?.aggregation === undefined)),
  );
  return new Set(keys).size < keys.length;
}

/** Lists the columns whose cells differ from the expected cells, in the first row of an answer that differs. */
function wrongColumns(
  query: Query,
  rows: Pick<DescribedAnswer, "expected" | "answered">,
): readonly string[] {
  const { difference } = findDifference(query, rows.expected, rows.answered);
  const { columns = [], rows: pairs = [] } = difference ?? {};
  const { expected = [], answered = [] } = pairs.find(({ isDifferent }) => isDifferent) ?? {};
  return columns.filter((_, at) => expected[at] !== answered[at]);
}
