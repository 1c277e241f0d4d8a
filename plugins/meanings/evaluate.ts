import {
  functionDefinitions,
  millisecondsOf,
  type Expression,
  type FunctionName,
  type LiteralExpression,
} from "../protocol/index.ts";
import { datetimeMeanings } from "./datetimeMeanings.ts";
import type { Meaning } from "./meaning.ts";
import { numberMeanings } from "./numberMeanings.ts";
import { testMeanings } from "./testMeanings.ts";
import { textMeanings } from "./textMeanings.ts";
import type { Value } from "./value.ts";

const meanings: Readonly<Record<FunctionName, Meaning>> = {
  ...testMeanings,
  ...numberMeanings,
  ...textMeanings,
  ...datetimeMeanings,
};

/** The latest instant of an ECMAScript Date, in milliseconds since 1970-01-01T00:00:00Z. */
const datetimeLimitMs = 8.64e15;

/**
 * Evaluates an expression over one row. The code defines what every function means, and is written for readability
 * instead of speed. Numbers, datetimes (milliseconds) and strings may be null; booleans are never null. `apply`
 * replaces `applyFunction`. O(size of the expression and its strings).
 */
export function evaluate(
  expression: Expression,
  column: (columnId: string) => Value = () => null,
  apply: (name: FunctionName, args: readonly Value[]) => Value = applyFunction,
): Value {
  switch (expression.kind) {
    case "literal":
      return literalValue(expression);
    case "column":
      return column(expression.column_id);
    case "call":
      return apply(
        expression.function,
        expression.args.map((each) => evaluate(each, column, apply)),
      );
  }
}

/** Applies a function to values. Datetimes are milliseconds; periods, parts, patterns and time zones are strings. */
export function applyFunction(name: FunctionName, args: readonly Value[]): Value {
  const { nulls, result } = functionDefinitions[name];
  if (nulls !== "own" && args.includes(null)) return nulls === "false" ? false : null;
  const value = meanings[name](args);
  if (typeof value !== "number") return value;
  if (!Number.isFinite(value)) return null;
  if (result === "datetime" && Math.abs(value) > datetimeLimitMs) return null;
  // Adding 0 turns negative zero into zero.
  return value + 0;
}

function literalValue({ type, value }: LiteralExpression): Value {
  return type === "datetime" && typeof value === "string" ? (millisecondsOf(value) ?? null) : value;
}
