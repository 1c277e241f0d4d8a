import { datetimeMeanings } from "./datetimeMeanings.ts";
import type { Meaning, Moment } from "./meaning.ts";
import { numberMeanings } from "./numberMeanings.ts";
import type { PortableColumn, PortableExpression, Value, ValueType } from "./portable.ts";
import { portableFunctions, type FunctionName } from "./portableFunctions.ts";
import { testMeanings } from "./testMeanings.ts";
import { textMeanings } from "./textMeanings.ts";

const meanings: Readonly<Record<FunctionName, Meaning>> = {
  ...testMeanings,
  ...numberMeanings,
  ...textMeanings,
  ...datetimeMeanings,
};

/** What an expression is evaluated over. */
export interface EvaluationInput extends Partial<Moment> {
  /** The value of a column in the row. */
  readonly column?: (column: PortableColumn) => Value;
  /** The results of a formula's aggregates, by index. */
  readonly aggregates?: readonly Value[];
}

/**
 * Computes an expression over one row: the reference meaning of every function, readable rather than
 * fast. Numbers, datetimes (milliseconds) and texts may be null, booleans never are. O(size and texts).
 */
export function evaluate(tree: PortableExpression, input: EvaluationInput = {}): Value {
  switch (tree.kind) {
    case "literal":
      return tree.value;
    case "column":
      return input.column?.(tree) ?? null;
    case "aggregate":
      return input.aggregates?.[tree.index] ?? null;
    case "call":
      return call(
        tree.function,
        tree.type,
        tree.args.map((each) => evaluate(each, input)),
        { nowMs: input.nowMs ?? Date.now() },
      );
  }
}

function call(name: FunctionName, type: ValueType, args: readonly Value[], moment: Moment): Value {
  const { nulls } = portableFunctions[name];
  if (nulls !== "meaning" && args.includes(null)) return nulls === "false" ? false : null;
  const value = meanings[name](args, moment);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) return null;
    if (type === "datetime" && Math.abs(value) > 8.64e15) return null;
    // Negative zero is zero.
    return value + 0;
  }
  return value;
}
