import type { BoundExpressionValue } from "../expressions/bindExpression.ts";
import { boundsOf } from "./boundsOf.ts";
import type { BoundDistinct } from "./boundPlan.ts";
import { isComputedText } from "./isComputedText.ts";
import { largestWholeRange } from "./numberedRanges.ts";
import type { PlanSource } from "./planSource.ts";

/**
 * Chooses how distinct values are counted: by code, by whole number if the numbers fit in 32 bits, otherwise by value.
 */
export function bindDistinct({ of }: BoundExpressionValue, source: PlanSource): BoundDistinct {
  if (of.kind === "text") return { kind: "code", code: of.code, cardinality: of.textCount };
  if (isComputedText(of)) return { kind: "computed", of };
  const bounds = boundsOf(of, source.columns);
  if (bounds && bounds.minimum !== bounds.minimum)
    return { kind: "whole", of, base: 0, decimals: 0, cardinality: 1 };
  if (bounds && bounds.decimals >= 0) {
    const unit = 10 ** bounds.decimals;
    const base = Math.round(bounds.minimum * unit);
    const cardinality = Math.round(bounds.maximum * unit) - base + 1;
    const whole = { base, decimals: bounds.decimals, cardinality };
    if (cardinality <= largestWholeRange) return { kind: "whole", of, ...whole };
    if (cardinality < Number.MAX_SAFE_INTEGER) return { kind: "number", of, whole };
  }
  return { kind: "number", of };
}
