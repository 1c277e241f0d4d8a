import type { ComparisonOperator } from "../../types.ts";

/** The comparisons of two numbers. Each is false with NaN, as a test of null must be. */
export const comparisons: Readonly<
  Record<ComparisonOperator, (left: number, right: number) => boolean>
> = {
  "=": (left, right) => left === right,
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right,
};
