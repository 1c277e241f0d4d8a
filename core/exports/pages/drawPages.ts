import { createColors, type ChartItem } from "../../web/charts/index.ts";
import type { Dashboard } from "../readDashboard.ts";
import { prepareOrExplain, prepareStored, type PrepareDrawing } from "../drawStored.ts";
import { layPages, type DocumentPage, type PlacedDrawing } from "./layPages.ts";
import type { Paper } from "../paper.ts";
import { placeItems } from "./placeItems.ts";

/** The paper of a document, and what its head and foot say. */
export interface PagesForm {
  readonly paper: Paper;
  /** Width in pixels of the dashboard on a page; undefined for the usual width of the orientation. */
  readonly width: number | undefined;
  readonly title: string;
  readonly filters: readonly string[];
  /** Time of the document in milliseconds since 1970-01-01T00:00:00Z. */
  readonly atMs: number;
}

/** Widths in pixels at which the text of a dashboard can be read on paper. */
const usualWidths = { portrait: 900, landscape: 1_200 } as const;
const leastWidth = 320;
/** Maximum number of rows of a table on pages: of an item, and of each table of a dashboard. */
const mostRows = { item: 10_000, dashboard: 1_000 } as const;

/**
 * Draws a dashboard, or one of its items, on pages. The items are queried concurrently. A value has the same color in
 * all items.
 * @throws {ApiError | PluginError} EXPORT_TOO_LARGE; the failure of the query of a single item
 */
export async function drawPages(
  dashboard: Dashboard,
  item: ChartItem | undefined,
  options: PrepareDrawing,
  { paper, width: wanted, title, filters, atMs }: PagesForm,
): Promise<readonly DocumentPage[]> {
  const { theme, localeId, timezoneId = "UTC" } = options;
  const width = Math.max(leastWidth, wanted ?? usualWidths[paper.orientation]);
  const colors = createColors(theme);
  const drawings: PlacedDrawing[] = item
    ? [
        {
          x: 0,
          y: 0,
          width,
          height: width * 0.5,
          draw: await prepareStored(dashboard, item, options, colors),
        },
      ]
    : await Promise.all(
        placeItems(dashboard, width).map(async ({ item: each, ...place }) => ({
          ...place,
          draw: await prepareOrExplain(dashboard, each, options, colors),
        })),
      );
  const date = new Intl.DateTimeFormat(localeId, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: timezoneId,
  }).format(atMs);
  return layPages(
    {
      title,
      filters,
      date: `${date} (${timezoneId})`,
      drawings,
      mostRows: item ? mostRows.item : mostRows.dashboard,
    },
    { paper, width, theme, localeId },
  );
}
