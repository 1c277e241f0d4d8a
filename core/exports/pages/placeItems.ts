import {
  gridColumns,
  gridItemRows,
  gridRowHeight,
  gridRows,
  type ChartItem,
} from "../../web/charts/index.ts";
import { ApiError, isObject } from "../../base/index.ts";
import type { Dashboard } from "../readDashboard.ts";

/** An item with its place in a dashboard, in pixels. */
export interface PlacedBox {
  readonly item: ChartItem;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Space around each item, in pixels. */
export const gap = 4;
const mostItems = 200;

/**
 * Returns the places of a dashboard's items in its layout, for a width in pixels.
 * @throws {ApiError} EXPORT_TOO_LARGE for more than 200 items, and for an item that is below the grid or has too many
 * rows
 */
export function placeItems(dashboard: Dashboard, width: number): readonly PlacedBox[] {
  const { items } = dashboard;
  if (items.length > mostItems)
    throw new ApiError("EXPORT_TOO_LARGE", [
      `${items.length} items; a picture must have at most ${mostItems}`,
      "export the items one by one",
    ]);
  refuseBelowGrid(dashboard);
  const unit = (width - 2 * gap) / gridColumns;
  return items.map(({ item, position }) => ({
    item,
    x: Math.round(gap + position.col * unit + gap),
    y: position.row * gridRowHeight + 2 * gap,
    width: Math.max(40, Math.round(position.sizeX * unit - 2 * gap)),
    height: Math.max(24, Math.round(position.sizeY * gridRowHeight - 2 * gap)),
  }));
}

const isAbove = (value: unknown, most: number) => typeof value === "number" && value > most;

/**
 * Refuses items below the grid. Screens move these items into the grid, so a picture would show them where nobody put
 * them.
 */
function refuseBelowGrid({ view }: Dashboard): void {
  const { items } = view;
  for (const item of Array.isArray(items) ? items : []) {
    const { position } = isObject<"position">(item) ? item : {};
    const { row, sizeY } = isObject<"row" | "sizeY">(position) ? position : {};
    if (isAbove(row, gridRows) || isAbove(sizeY, gridItemRows))
      throw new ApiError("EXPORT_TOO_LARGE", [
        `an item in row ${String(row)} with a height of ${String(sizeY)} rows; a picture must have at most ${gridRows} rows, and an item ${gridItemRows}`,
        "move the item up or make it smaller, or export the items one by one",
      ]);
  }
}
