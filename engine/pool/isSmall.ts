import type { BoundPlan } from "../plan/boundPlan.ts";
import { inlineValues } from "./inlineValues.ts";
import { canShareScan } from "./sharedScans.ts";

/**
 * Returns whether a plan is small enough to run on the calling thread: it takes at most about a millisecond. Plans with
 * distinct counts, percentiles, many groups or row-by-row expressions always run on the threads, however few rows they
 * read.
 */
export function isSmall(plan: BoundPlan): boolean {
  const { rowCount, columns, grouping, cells, having, filter } = plan;
  if (rowCount * Math.max(1, columns.length) > inlineValues) return false;
  if (grouping && !canShareScan(plan)) return false;
  const mostNodes = (inlineValues / Math.max(1, rowCount)) * nodesPerValue;
  return countNodes([grouping, cells, having, filter], mostNodes) <= mostNodes;
}

/**
 * Number of expression and predicate nodes that can be evaluated in the time that it takes to read and fold one column
 * value.
 */
const nodesPerValue = 4;

/**
 * Counts the nodes in the expressions and predicates of a plan. Stops counting soon after `most` is exceeded. A node
 * that is computed row by row (`BoundRows`) exceeds every limit. Typed arrays and sets are tables of values, so they
 * are not searched.
 */
function countNodes(node: unknown, most: number): number {
  if (typeof node !== "object" || node === null || ArrayBuffer.isView(node)) return 0;
  const isList = Array.isArray(node);
  if (!isList && Object.getPrototypeOf(node) !== Object.prototype) return 0;
  if ("kind" in node && node.kind === "rows" && "expression" in node) return Infinity;
  let count = "kind" in node ? 1 : 0;
  for (const part of isList ? node : Object.values(node)) {
    if (count > most) return count;
    count += countNodes(part, most - count);
  }
  return count;
}
