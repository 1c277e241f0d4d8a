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

/** The furthest datetime from 1970 in ECMAScript. */
const datetimeLimitMs = 8.64e15;

/**
 * Computes an expression over one row: the reference meaning of every function, readable rather than fast.
 * Numbers, datetimes (milliseconds) and texts may be null, tests never are. `apply` takes the place of `applyFunction`.
 * O(size and texts).
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

/** Computes a function of values: datetimes are milliseconds; periods, parts, patterns and time zones are texts. */
export function applyFunction(name: FunctionName, args: readonly Value[]): Value {
  const { nulls, result } = functionDefinitions[name];
  if (nulls !== "own" && args.includes(null)) return nulls === "false" ? false : null;
  const value = meanings[name](args);
  if (typeof value !== "number") return value;
  if (!Number.isFinite(value)) return null;
  if (result === "datetime" && Math.abs(value) > datetimeLimitMs) return null;
  // Negative zero is zero.
  return value + 0;
}

function literalValue({ type, value }: LiteralExpression): Value {
  return type === "datetime" && typeof value === "string" ? (millisecondsOf(value) ?? null) : value;
}
