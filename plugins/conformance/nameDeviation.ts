import type { Cell, Query } from "../protocol/index.ts";
import { answerQuery, type JoinableTable } from "./answerQuery.ts";
import type { Claim } from "./claims.ts";
import { differenceOf, isSameAnswer } from "./compareAnswers.ts";
import { deviations } from "./deviations.ts";
import { roundingOf } from "./roundingOf.ts";
import { protocolSemantics } from "./semantics.ts";

type Rows = readonly (readonly Cell[])[];

export interface WrongAnswer {
  readonly query: Query;
  readonly expected: Rows;
  readonly answered: Rows;
}

/**
 * Describes what a plugin does wrong, given its wrong answers to the queries of a claim. Returns the first known
 * deviation that explains all of these answers; deviations that concern the claim are tried first. If there is none,
 * describes how the rows differ.
 */
export function nameDeviation(
  claim: Claim,
  table: JoinableTable,
  wrong: readonly WrongAnswer[],
  before: Rows | undefined,
): string {
  const known = [
    ...deviations.filter((each) => each.concerns(claim)),
    ...deviations.filter((each) => !each.concerns(claim)),
  ];
  const found = known.find(({ semantics }) =>
    wrong.every(({ query, answered }) =>
      isSameAnswer(
        answerQuery(query, table, { ...protocolSemantics, ...semantics }),
        answered,
        (query.order?.length ?? 0) > 0,
        roundingOf(query, table),
      ),
    ),
  );
  return found?.does ?? describeRows(wrong, before);
}

function describeRows(wrong: readonly WrongAnswer[], before: Rows | undefined): string {
  const [first] = wrong;
  if (!first) return "returns wrong rows";
  if (before && isSameAnswer(before, first.answered, false))
    return "returns the answer to the previous query";
  const differences = wrong.map(({ expected, answered }) => differenceOf(expected, answered));
  if (differences.every(({ missing, surplus }) => missing.length + surplus.length === 0))
    return "returns rows in the wrong order";
  if (differences.every(({ surplus }) => surplus.length === 0)) return "omits rows";
  if (differences.every(({ missing }) => missing.length === 0)) {
    const isRepeated = wrong.every(({ expected }, at) =>
      (differences[at]?.surplus ?? []).every((row) =>
        expected.some((each) => isSameAnswer([each], [row], false)),
      ),
    );
    return isRepeated ? "repeats rows" : "returns rows that should not be there";
  }
  return "returns wrong cells";
}
