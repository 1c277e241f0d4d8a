import {
  fetchTotals,
  createColors,
  drawItem,
  filtersOf,
  kindOfItem,
  loadKind,
  queryOf,
  type ChartCell,
  type ChartItem,
  type ChartRequest,
  type ChartTheme,
  type Colors,
  type DrawKind,
  type Scene,
} from "../web/charts/index.ts";
import { PluginError } from "../../plugins/protocol/index.ts";
import { ApiError } from "../base/index.ts";
import type { Dashboard } from "./readDashboard.ts";

export interface DrawOptions {
  readonly width: number;
  readonly height: number;
  readonly theme: ChartTheme;
  readonly localeId: string | undefined;
  readonly timezoneId: string | undefined;
  /** Runs a query with the caller's rights and returns its rows. */
  answer(query: object): Promise<readonly (readonly ChartCell[])[]>;
  /** Called with the reason when an item of a dashboard could not be drawn. */
  onFailure?(failure: ApiError | PluginError, item: ChartItem): void;
}

/**
 * Runs the query of an item and draws its answer.
 * @throws {ApiError | PluginError} if the query fails
 */
export async function drawStored(
  dashboard: Dashboard,
  item: ChartItem,
  options: DrawOptions,
  colors: Colors = createColors(options.theme),
): Promise<Scene> {
  const { localeId, timezoneId, answer } = options;
  const drawKind = await loadKind(kindOf(item));
  const { where, having } = filtersOf(dashboard, item);
  const view = {
    where,
    ...(localeId !== undefined && { localeId }),
    ...(timezoneId !== undefined && { timezoneId }),
  };
  const stored = queryOf(item, view);
  const [rows, totals] = await Promise.all([
    stored ? answer({ ...stored.query, ...(having.length > 0 && { having }) }) : [],
    fetchTotals(item, { ...view, having }, answer),
  ]);
  return drawnWith({ item, drawKind }, options, colors, { rows, ...totals });
}

/** Draws an item of a dashboard. If its query fails, the item shows the reason instead. */
export async function drawOrExplain(
  dashboard: Dashboard,
  item: ChartItem,
  options: DrawOptions,
  colors: Colors,
): Promise<Scene> {
  try {
    return await drawStored(dashboard, item, options, colors);
  } catch (failure) {
    const isShown = failure instanceof ApiError || failure instanceof PluginError;
    if (!isShown) throw failure;
    options.onFailure?.(failure, item);
    const drawKind = await loadKind(kindOf(item));
    return drawnWith({ item, drawKind }, options, colors, { rows: [], failure: failure.message });
  }
}

const kindOf = ({ type }: ChartItem) => kindOfItem(type)?.kind ?? "table";

function drawnWith(
  { item, drawKind }: { readonly item: ChartItem; readonly drawKind: DrawKind },
  options: DrawOptions,
  colors: Colors,
  answered: Pick<ChartRequest, "rows" | "totals" | "pivotTotals" | "failure">,
): Scene {
  const { width, height, localeId = "en", timezoneId = "UTC" } = options;
  const request = {
    item,
    fields: queryOf(item)?.fields ?? [],
    ...answered,
    theme: options.theme,
    colors,
    width,
    height,
    localeId,
    timezoneId,
  };
  return drawItem(request, drawKind);
}
