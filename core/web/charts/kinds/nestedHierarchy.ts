import { hierarchy, type HierarchyNode } from "d3-hierarchy";
import type { NestedValue } from "./nestRows.ts";

/** A nested value, or the root that contains the values of the first level. */
export type NestedNode = NestedValue | { readonly children: readonly NestedValue[] };

/**
 * Returns nested values as a tree for the layouts of D3. A node has the sum of its sizes, and the largest comes first.
 */
export function nestedHierarchy(values: readonly NestedValue[]): HierarchyNode<NestedNode> {
  return hierarchy<NestedNode>({ children: values }, (node) => node.children)
    .sum((node) => ("size" in node ? node.size : 0))
    .sort((one, other) => (other.value ?? 0) - (one.value ?? 0));
}
