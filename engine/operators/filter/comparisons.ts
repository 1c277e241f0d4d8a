import type { ComparisonOperator } from "../../types.ts";

/** The comparisons of two numbers. All return false for NaN, because a comparison with null is false. */
export const comparisons: Readonly<
  Record<ComparisonOperator, (left: number, right: number) => boolean>
> = {
  "=": (left, right) => left === right,
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right,
};
