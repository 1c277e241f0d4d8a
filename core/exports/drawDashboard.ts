import {
  createColors,
  gridColumns,
  gridItemRows,
  gridRowHeight,
  gridRows,
  type Page,
} from "../web/charts/index.ts";
import { ApiError, isObject } from "../base/index.ts";
import { drawOrExplain, type DrawOptions } from "./drawStored.ts";
import type { ParsedExport } from "./parseExport.ts";
import { refuseTooLarge } from "./pictures/refuseTooLarge.ts";
import type { Dashboard } from "./readDashboard.ts";

const gap = 4;
const mostItems = 200;

/**
 * Draws a dashboard in its layout. The items are queried concurrently. A value has the same color in all items.
 * @throws {ApiError} EXPORT_TOO_LARGE for more than 200 items, for an item that is below the grid or has too many rows,
 * or for a page that is too large for its format
 */
export async function drawDashboard(
  dashboard: Dashboard,
  options: DrawOptions,
  form: Pick<ParsedExport, "format" | "scale">,
): Promise<Page> {
  const { items, title } = dashboard;
  if (items.length > mostItems)
    throw new ApiError("EXPORT_TOO_LARGE", [
      `${items.length} items; a picture must have at most ${mostItems}`,
      "export the items one by one",
    ]);
  refuseBelowGrid(dashboard);
  const { theme } = options;
  const colors = createColors(theme);
  const width = Math.max(320, options.width);
  const unit = (width - 2 * gap) / gridColumns;
  const boxes = items.map(({ item, position }) => ({
    item,
    x: Math.round(gap + position.col * unit + gap),
    y: position.row * gridRowHeight + 2 * gap,
    size: {
      width: Math.max(40, Math.round(position.sizeX * unit - 2 * gap)),
      height: Math.max(24, Math.round(position.sizeY * gridRowHeight - 2 * gap)),
    },
  }));
  const height = Math.max(120, ...boxes.map(({ y, size }) => y + size.height + 2 * gap));
  refuseTooLarge({ width, height }, form);
  const placed = await Promise.all(
    boxes.map(async ({ item, x, y, size }) => {
      const scene = await drawOrExplain(dashboard, item, { ...options, ...size }, colors);
      return { x, y, scene };
    }),
  );
  return { width, height, background: theme.page, title, placed };
}

const isAbove = (value: unknown, most: number) => typeof value === "number" && value > most;

/**
 * Refuses items below the grid. Screens move these items into the grid, so a picture would show them where nobody put
 * them.
 */
function refuseBelowGrid({ view }: Dashboard): void {
  const { items } = view;
  for (const item of Array.isArray(items) ? items : []) {
    const position = isObject(item) ? item["position"] : undefined;
    const { row, sizeY } = isObject(position) ? position : {};
    if (isAbove(row, gridRows) || isAbove(sizeY, gridItemRows))
      throw new ApiError("EXPORT_TOO_LARGE", [
        `an item in row ${String(row)} with a height of ${String(sizeY)} rows; a picture must have at most ${gridRows} rows, and an item ${gridItemRows}`,
        "move the item up or make it smaller, or export the items one by one",
      ]);
  }
}
