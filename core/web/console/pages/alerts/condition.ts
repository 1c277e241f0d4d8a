import { isList, isRecord } from "../../api/index.ts";

export type Json = Readonly<Record<string, unknown>>;

/** The line that an answer crosses. */
export interface Condition {
  /** Which measure of the question. */
  readonly measure: number;
  readonly operator: string;
  readonly threshold: number;
}

/** The comparison of the other side: a value that recovers. */
const otherSide: Readonly<Record<string, string>> = {
  "? > ?": "? <= ?",
  "? >= ?": "? <= ?",
  "? < ?": "? >= ?",
  "? <= ?": "? >= ?",
};

/** Puts a condition into a query, in the place of the one that it has. */
export function withCondition(query: Json, { measure, operator, threshold }: Condition): Json {
  const measures = isList(query["measures"]) ? query["measures"] : [];
  return {
    ...query,
    having: [{ expression: operator, parameters: [measures[measure], threshold] }],
  };
}

/** Returns the query whose rows have recovered: those whose value is at `value` or beyond it, on the other side. */
export const recoveryOf = (query: Json, condition: Condition, value: number): Json =>
  withCondition(query, {
    ...condition,
    operator: otherSide[condition.operator] ?? condition.operator,
    threshold: value,
  });

/** Reads the condition of a query; undefined for a query with any other form than one measure against one number. */
export function conditionOf(query: unknown): Condition | undefined {
  if (!isRecord(query)) return undefined;
  const { measures, having } = query;
  if (!isList(measures) || !isList(having)) return undefined;
  const [test, other] = having;
  if (!isRecord(test) || other !== undefined || !isList(test["parameters"])) return undefined;
  const { expression: operator } = test;
  const [measured, threshold] = test["parameters"];
  const measure = measures.findIndex((each) => JSON.stringify(each) === JSON.stringify(measured));
  if (typeof operator !== "string" || !Object.hasOwn(otherSide, operator)) return undefined;
  return measure < 0 || typeof threshold !== "number"
    ? undefined
    : { measure, operator, threshold };
}
