import type { BoundPlan } from "../plan/boundPlan.ts";

/**
 * Returns the bytes of the tables that a plan reads by number or code, each of which a task may copy; see
 * `canCopyTable`.
 */
export function lookupBytes({ filter, grouping, cells }: BoundPlan): number {
  return bytesIn([filter, grouping, cells], false);
}

const tableKinds = new Set<unknown>(["byCode", "byNumber", "lookupNumber", "rowOf"]);

function bytesIn(node: unknown, isRead: boolean): number {
  if (ArrayBuffer.isView(node)) return isRead ? node.byteLength : 0;
  if (typeof node !== "object" || node === null || node instanceof Set) return 0;
  const isTable = "kind" in node ? tableKinds.has(node.kind) : false;
  const isIndex = isRead && "places" in node;
  let sum = 0;
  for (const part of Object.values(node)) sum += bytesIn(part, isTable || isIndex);
  return sum;
}
