import type { ItemType } from "../../../charts/index.ts";
import type { ExploredColumn, ExploredDataset } from "../../questions/index.ts";
import type { BoardItem } from "./contents.ts";

/** The controls for each type of column. The first is that of new filters. */
export const controlsOf = {
  hierarchy: ["dropdown-filter", "slicer-filter", "search-filter"],
  numeric: ["slider-filter"],
  datetime: ["date-filter", "date-comparison-filter"],
} as const satisfies Readonly<Record<ExploredColumn["type"], readonly ItemType[]>>;

/** Returns a new filter by a column, whose readers can choose several values. */
export function newFilterItem(
  { id: datasetId }: ExploredDataset,
  { id: columnId, name, type, subtype }: ExploredColumn,
): Omit<BoardItem, "position"> {
  const field = {
    datasetId,
    columnId,
    type,
    ...(subtype !== null && { subtype }),
    label: name,
  };
  return {
    id: crypto.randomUUID(),
    type: controlsOf[type][0],
    options: { title: name, ...(type === "hierarchy" && { multiselect: true }) },
    slots: [{ name: "dimension", content: [field] }],
  };
}
