import type { BoundPlan } from "../plan/boundPlan.ts";
import { inlineValues } from "./inlineValues.ts";
import { canShareScan } from "./sharedScans.ts";

/**
 * Returns whether a plan runs on the calling thread: about a millisecond of work at most. Distinct values, percentiles,
 * many groups and expressions computed row by row go to the threads, however few rows there are.
 */
export function isSmall(plan: BoundPlan): boolean {
  const { rowCount, columns, grouping, cells, having, filter } = plan;
  if (rowCount * Math.max(1, columns.length) > inlineValues) return false;
  if (grouping && !canShareScan(plan)) return false;
  return !isComputedByRow([grouping, cells, having, filter]);
}

/**
 * Returns whether an expression of a plan is computed row by row (`BoundRows`). Typed arrays and sets are tables of
 * values, so they are not searched.
 */
function isComputedByRow(node: unknown): boolean {
  if (typeof node !== "object" || node === null || ArrayBuffer.isView(node)) return false;
  if (Array.isArray(node)) return node.some(isComputedByRow);
  if (Object.getPrototypeOf(node) !== Object.prototype) return false;
  return (
    ("kind" in node && node.kind === "rows" && "expression" in node) ||
    Object.values(node).some(isComputedByRow)
  );
}
