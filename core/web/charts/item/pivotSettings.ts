import type { ChartItem, SlotField } from "./item.ts";
import { objectOf } from "./readItem.ts";

/** How a pivot table is arranged, as its options and slots say. */
export interface PivotSettings {
  /** Whether readers can collapse groups of rows and columns. */
  readonly isExpandable: boolean;
  /** Whether groups and their rows share one column, in which the rows are indented. */
  readonly isIndented: boolean;
  /** Whether several measures have a row each instead of a column each. */
  readonly hasMeasureRows: boolean;
  /** Whether there is a row of totals over all rows, and a column of totals over all columns. */
  readonly hasTotalRow: boolean;
  readonly hasTotalColumn: boolean;
  readonly sortBy: "category" | "measure" | undefined;
  readonly direction: 1 | -1;
  /** Returns whether the values of a row field, by its position, have subtotals after them. */
  hasRowSubtotals(position: number): boolean;
  hasColumnSubtotals(position: number): boolean;
  directionOf(field: { readonly field: SlotField } | undefined): 1 | -1;
  columnDirectionOf(field: { readonly field: SlotField }): 1 | -1;
  /** Maximum number of rows and columns that are shown. */
  readonly mostRows: number;
  readonly mostColumns: number;
}

/** Reads how a pivot table is arranged. */
export function pivotSettings({ options, fields }: ChartItem): PivotSettings {
  const sort = objectOf<"by" | "direction">(options.sort);
  const limit = objectOf<"rows" | "columns">(options.limit);
  const map = objectOf(options.rowSortsMap);
  const inSlot = (slot: string) => fields.filter((field) => field.slot === slot);
  const [rowFields, columnFields] = [inSlot("row"), inSlot("column")];
  const isExpandable = options.isExpandable !== false;
  const hasTotals = options.totals === true;
  const hasTotalsAt = (of: readonly SlotField[], position: number) =>
    of[position]?.hasTotals === true;
  const sortBy = sort.by === "measure" || sort.by === "category" ? sort.by : undefined;
  const mapped = ({ id, columnId, formulaId }: SlotField) =>
    [id, columnId, formulaId].map((name) => (name === undefined ? name : map[name])).find(Boolean);
  const directionOf = (field: { readonly field: SlotField } | undefined): 1 | -1 => {
    const own = field && mapped(field.field);
    if (own === "asc" || own === "desc") return own === "asc" ? 1 : -1;
    return sortBy === "category" && sort.direction !== "asc" ? -1 : 1;
  };
  return {
    isExpandable,
    isIndented: isExpandable && options.expandStyle !== "normal",
    hasMeasureRows: options.measureLabelsAxis === "rows" && inSlot("measure").length > 1,
    hasTotalRow: rowFields.length > 0 && (hasTotals || hasTotalsAt(rowFields, 0)),
    hasTotalColumn: columnFields.length > 0 && (hasTotals || hasTotalsAt(columnFields, 0)),
    sortBy,
    direction: sort.direction === "asc" ? 1 : -1,
    hasRowSubtotals: (position) =>
      position > 0 &&
      position < rowFields.length &&
      (hasTotals || hasTotalsAt(rowFields, position)),
    hasColumnSubtotals: (position) =>
      position > 0 &&
      position < columnFields.length &&
      (hasTotals || hasTotalsAt(columnFields, position)),
    directionOf,
    columnDirectionOf: ({ field }) => (mapped(field) === "desc" ? -1 : 1),
    mostRows: countOf(limit.rows),
    mostColumns: countOf(limit.columns),
  };
}

function countOf(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : Infinity;
}
