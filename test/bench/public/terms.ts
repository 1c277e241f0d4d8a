import type { AggregateFunction, Expression, Predicate } from "../../../engine/index.ts";
import type { Measure } from "./publicPart.ts";

/** A column name, or an expression. */
type Term = string | Expression;

/** Returns an expression. A string is the name of a column; `d.year` is the column `year` behind the link `d`. */
export function term(given: Term): Expression {
  if (typeof given !== "string") return given;
  const [first = "", second] = given.split(".");
  return second === undefined
    ? { kind: "column", name: first }
    : { kind: "column", join: first, name: second };
}

export const number = (value: number): Expression => ({ kind: "literal", type: "number", value });
export const text = (value: string): Expression => ({ kind: "literal", type: "text", value });

export const call = (name: string, ...of: readonly Term[]): Expression => ({
  kind: "call",
  function: name,
  of: of.map(term),
});

/** Returns a part of a datetime in UTC. */
export const part = (name: "year" | "hour" | "minute", of: Term): Expression =>
  call("datePart", text(name), of, text("UTC"));

export const minuteOf = (of: Term): Expression => ({
  kind: "period",
  of: term(of),
  period: "minute",
  timezone: "UTC",
});

const aggregate = (name: AggregateFunction, of: Term): Measure => ({
  kind: "aggregate",
  function: name,
  of: term(of),
});

export const rows: Measure = { kind: "aggregate", function: "rows" };
export const sum = (of: Term) => aggregate("sum", of);
export const average = (of: Term) => aggregate("average", of);
export const min = (of: Term) => aggregate("min", of);
export const max = (of: Term) => aggregate("max", of);
export const distinct = (of: Term) => aggregate("distinctcount", of);
export const median = (of: Term) => aggregate("median", of);
export const stddev = (of: Term) => aggregate("stddev", of);

export const formula = (
  name: "add" | "subtract" | "multiply" | "divide",
  left: Measure | number,
  right: Measure | number,
): Measure => ({ kind: "formula", function: name, of: [left, right] });

export const compare = (
  left: Term,
  operator: "=" | "<" | "<=" | ">" | ">=",
  value: number | string,
): Predicate => ({ kind: "compare", left: term(left), operator, value });
export const differs = (left: Term, value: number | string): Predicate => ({
  kind: "not",
  of: compare(left, "=", value),
});
export const isIn = (left: Term, ...values: readonly (number | string)[]): Predicate => ({
  kind: "in",
  left: term(left),
  values,
});
export const contains = (left: Term, sought: string): Predicate => ({
  kind: "match",
  left: term(left),
  match: "contains",
  text: sought,
});
export const startsWith = (left: Term, sought: string): Predicate => ({
  kind: "match",
  left: term(left),
  match: "startsWith",
  text: sought,
});
export const not = (of: Predicate): Predicate => ({ kind: "not", of });
/** Returns a date as the milliseconds that the engine compares. */
export const day = (date: string): number => Date.parse(date);

export const down = (output: number) => ({ output, descending: true });
export const up = (output: number) => ({ output, descending: false });
