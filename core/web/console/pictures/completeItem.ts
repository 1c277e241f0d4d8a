import {
  columnAttributes,
  columnIdsOf,
  completeItems,
  type ChartItem,
} from "../../charts/index.ts";
import type { Api } from "../api/index.ts";

const position = { col: 0, row: 0, sizeX: 0, sizeY: 0 };

/**
 * Completes an item with the attributes of its columns, as pages that show dashboards do. Both then show the same text
 * for the same cell.
 */
export async function completeItem(
  api: Pick<Api, "get">,
  item: ChartItem,
  signal?: AbortSignal,
): Promise<ChartItem> {
  const ids = columnIdsOf([{ item, position }]);
  if (ids.length === 0) return item;
  const find = { where: { id: { in: ids } }, attributes: columnAttributes };
  const { rows } = await api.get("column", find, { signal });
  return completeItems([{ item, position }], rows)[0]?.item ?? item;
}
