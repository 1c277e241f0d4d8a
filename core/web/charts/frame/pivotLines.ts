import type { PivotHead } from "./arrangePivot.ts";

/** A row of a pivot table, or one of its columns. */
export interface PivotLine {
  readonly head: PivotHead;
  /** Values of the last field, a group of them with its subtotal, or the subtotal after an expanded group. */
  readonly role: "value" | "group" | "total";
  readonly isExpanded: boolean;
}

interface LineOptions {
  /** Whether expanded groups have a line of their own above their lines. */
  readonly isIndented: boolean;
  /** Keys of the collapsed groups. */
  readonly collapsed: ReadonlySet<string>;
  /** Returns whether the subtotal of an expanded group stands after its lines. */
  hasTotals(depth: number): boolean;
  /**
   * The order of the heads within their group.
   * @default the stored order
   */
  readonly compare?: (one: PivotHead, other: PivotHead) => number;
  /** Maximum number of lines with values. */
  readonly most: number;
}

/** The lines of an axis, and the number of lines that the limit leaves out. */
export interface PivotLines {
  readonly lines: readonly PivotLine[];
  readonly hiddenCount: number;
}

/** Lists the lines of an axis of a pivot table. O(heads log heads). */
export function pivotLines(root: PivotHead, options: LineOptions): PivotLines {
  const { isIndented, collapsed, hasTotals, compare, most } = options;
  const lines: PivotLine[] = [];
  let count = 0;
  let hiddenCount = 0;
  const add = (head: PivotHead) => {
    const ordered = compare ? head.children.toSorted(compare) : head.children;
    for (const child of ordered) {
      const isGroup = child.children.length > 0;
      const isExpanded = isGroup && !collapsed.has(child.key);
      if (!isExpanded && ++count > most) hiddenCount++;
      else if (!isGroup) lines.push({ head: child, role: "value", isExpanded });
      else if (!isExpanded || (isIndented && count < most))
        lines.push({ head: child, role: "group", isExpanded });
      if (!isExpanded) continue;
      add(child);
      if (!isIndented && hasTotals(child.depth) && count <= most)
        lines.push({ head: child, role: "total", isExpanded });
    }
  };
  add(root);
  return { lines, hiddenCount };
}
