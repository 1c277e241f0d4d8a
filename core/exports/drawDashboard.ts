import { createColors, gridColumns, gridRowHeight, type Page } from "../charts/index.ts";
import { ApiError } from "../errors.ts";
import { drawOrExplain, type DrawOptions } from "./drawStored.ts";
import type { Dashboard } from "./readDashboard.ts";

const gap = 4;
const mostItems = 200;

/**
 * Draws a dashboard as it is laid out. Items are asked side by side; the same value has the same colour in all of them.
 * @throws {ApiError} EXPORT_TOO_LARGE for more than 200 items
 */
export async function drawDashboard(dashboard: Dashboard, options: DrawOptions): Promise<Page> {
  const { items, title } = dashboard;
  if (items.length > mostItems)
    throw new ApiError("EXPORT_TOO_LARGE", [
      `${items.length} items; a picture has at most ${mostItems}`,
      "export its items one by one",
    ]);
  const { theme } = options;
  const colors = createColors(theme);
  const width = Math.max(320, options.width);
  const unit = (width - 2 * gap) / gridColumns;
  const placed = await Promise.all(
    items.map(async ({ item, position }) => {
      const size = {
        width: Math.max(40, Math.round(position.sizeX * unit - 2 * gap)),
        height: Math.max(24, Math.round(position.sizeY * gridRowHeight - 2 * gap)),
      };
      const scene = await drawOrExplain(dashboard, item, { ...options, ...size }, colors);
      return {
        x: Math.round(gap + position.col * unit + gap),
        y: position.row * gridRowHeight + 2 * gap,
        scene,
      };
    }),
  );
  const height = Math.max(120, ...placed.map(({ y, scene }) => y + scene.height + 2 * gap));
  return { width, height, background: theme.page, title, placed };
}
