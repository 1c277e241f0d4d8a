import { isList, isRecord } from "../../api/index.ts";

export type Json = Readonly<Record<string, unknown>>;

/** A comparison of one measure with a threshold. */
export interface Condition {
  /** Index of the measure in the query. */
  readonly measure: number;
  readonly operator: string;
  readonly threshold: number;
}

/** The opposite of each comparison. A value that passes the opposite comparison has recovered. */
const otherSide: Readonly<Record<string, string>> = {
  "? > ?": "? <= ?",
  "? >= ?": "? <= ?",
  "? < ?": "? >= ?",
  "? <= ?": "? >= ?",
};

const tests: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  "? > ?": (value, threshold) => value > threshold,
  "? >= ?": (value, threshold) => value >= threshold,
  "? < ?": (value, threshold) => value < threshold,
  "? <= ?": (value, threshold) => value <= threshold,
};

/** Returns whether a value meets a condition. */
export const isMet = ({ operator, threshold }: Condition, value: number): boolean =>
  tests[operator]?.(value, threshold) === true;

/** Returns a query with the given condition, which replaces the present condition. */
export function withCondition(query: Json, { measure, operator, threshold }: Condition): Json {
  const measures = isList(query["measures"]) ? query["measures"] : [];
  return {
    ...query,
    having: [{ expression: operator, parameters: [measures[measure], threshold] }],
  };
}

/**
 * Returns the query for rows that have recovered. Their value is `value`, or lies beyond `value` on the side opposite
 * the condition.
 */
export const recoveryOf = (query: Json, condition: Condition, value: number): Json =>
  withCondition(query, {
    ...condition,
    operator: otherSide[condition.operator] ?? condition.operator,
    threshold: value,
  });

/** Returns the condition of a query; undefined unless it compares one measure with one number. */
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
