import type { ChartCell } from "./chartRequest.ts";
import type { SlotField } from "../item/item.ts";

/** Returns the reference by which a filter names the column of a field. */
export function filteredColumn({ datasetId, columnId, level, type }: SlotField): object {
  return {
    column_id: columnId,
    dataset_id: datasetId,
    ...(level !== undefined && type === "datetime" && { level }),
  };
}

/** Returns the filter that keeps the groups of `cells`; with `isOther`, the filter that keeps all other groups. */
export function listTest(
  field: SlotField,
  cells: readonly ChartCell[],
  { isOther = false }: { readonly isOther?: boolean } = {},
): object {
  const values = [...new Set(cells.map(valueOf))];
  return {
    expression: isOther ? "? not in ?" : "? in ?",
    parameters: [filteredColumn(field), values],
  };
}

function valueOf(cell: ChartCell): number | string | null {
  return typeof cell === "object" && cell !== null ? cell.id : cell;
}
