import type { Page } from "../web/charts/index.ts";
import { colorsOf, prepareOrExplain, type DrawOptions } from "./drawStored.ts";
import { drawHead } from "./pages/drawHead.ts";
import { gap, placeItems } from "./pages/placeItems.ts";
import type { ParsedExport } from "./parseExport.ts";
import { refuseTooLarge } from "./pictures/refuseTooLarge.ts";
import type { Dashboard } from "./readDashboard.ts";

/** The title of a dashboard and the filters that its picture names. */
export interface NamedDashboard {
  readonly title: string;
  readonly filters: readonly string[];
}

/**
 * Draws a dashboard in its layout as one picture. The items are queried concurrently. A value has the same color in all
 * items. With filters, the picture begins with the title and the filters.
 * @throws {ApiError} EXPORT_TOO_LARGE for a dashboard that `placeItems` refuses, or for a page that is too large for
 * its format
 */
export async function drawDashboard(
  dashboard: Dashboard,
  options: DrawOptions,
  form: Pick<ParsedExport, "format" | "scale">,
  { title, filters }: NamedDashboard,
): Promise<Page> {
  const { theme } = options;
  const width = Math.max(320, options.width);
  const boxes = placeItems(dashboard, width);
  const head =
    filters.length === 0
      ? undefined
      : drawHead({ title, lines: filters, width: width - 4 * gap, theme, background: theme.page });
  const top = head ? head.height + gap : 0;
  const lowest = boxes.map(({ y, height }) => y + height + 2 * gap);
  const height = top + Math.max(120, ...lowest);
  refuseTooLarge({ width, height }, form);
  const colors = await colorsOf(
    dashboard.items.map(({ item }) => item),
    options,
  );
  const placed = await Promise.all(
    boxes.map(async ({ item, x, y, ...size }) => {
      const draw = await prepareOrExplain(dashboard, item, options, colors);
      return { x, y: y + top, scene: draw(size) };
    }),
  );
  return {
    width,
    height,
    background: theme.page,
    title,
    placed: [...(head ? [{ x: 2 * gap, y: 2 * gap, scene: head }] : []), ...placed],
  };
}
