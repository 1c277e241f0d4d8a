import type { ComparisonOperator } from "../../types.ts";

/** What each comparison says of two numbers. With NaN it is false, which is what a test of null is. */
export const comparisons: Readonly<
  Record<ComparisonOperator, (left: number, right: number) => boolean>
> = {
  "=": (left, right) => left === right,
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right,
};
