import type { Cell, Query } from "../protocol/index.ts";
import { answerQuery, type JoinableTable } from "./answerQuery.ts";
import { differenceOf, isSameAnswer } from "./compareAnswers.ts";
import { roundingOf } from "./roundingOf.ts";
import { protocolSemantics, type Semantics } from "./semantics.ts";

type Rows = readonly (readonly Cell[])[];

/**
 * Returns whether rows are a right answer to a query under semantics that override those of the protocol. If the query
 * has a limit and no order, any of its rows are right, as long as their number is right.
 */
export function isAnswerUnder(
  overrides: Partial<Semantics>,
  query: Query,
  table: JoinableTable,
  rows: Rows,
): boolean {
  const semantics: Semantics = { ...protocolSemantics, ...overrides };
  const { answerKey } = overrides;
  const keyed = (answer: Rows): Rows => (answerKey ? withKeys(answer, answerKey) : answer);
  const expected = keyed(answerQuery(query, table, semantics));
  const isOrdered = (query.order?.length ?? 0) > 0;
  if (!query.limit || isOrdered)
    return isSameAnswer(expected, keyed(rows), isOrdered, roundingOf(query, table));
  if (rows.length !== expected.length) return false;
  const { limit: _, ...whole } = query;
  return (
    differenceOf(keyed(answerQuery(whole, table, semantics)), keyed(rows)).surplus.length === 0
  );
}

function withKeys(rows: Rows, keyOf: (text: string) => string): Rows {
  return rows.map((row) => row.map((cell) => (typeof cell === "string" ? keyOf(cell) : cell)));
}
