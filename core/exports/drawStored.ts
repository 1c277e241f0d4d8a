import {
  createColors,
  drawItem,
  fetchItem,
  fetchValues,
  isRanking,
  kindOfItem,
  loadKind,
  loadWords,
  queryOf,
  readColumns,
  type ChartCell,
  type ChartItem,
  type ChartRequest,
  type ChartTheme,
  type Colors,
  type DrawKind,
  type ItemAnswer,
  type QueryAnswer,
  type Scene,
  type SendQueries,
  type TablePart,
} from "../web/charts/index.ts";
import { PluginError } from "../../plugins/protocol/index.ts";
import { ApiError } from "../base/index.ts";
import { sortedIndexes } from "./sortChosen.ts";
import { filtersIn, type Dashboard } from "./readDashboard.ts";

/** Options of a drawing, without its size. */
export interface PrepareDrawing {
  readonly theme: ChartTheme;
  readonly localeId: string | undefined;
  readonly timezoneId: string | undefined;
  /** Runs a query with the caller's rights and returns its rows and warnings. */
  answer(query: object): Promise<Pick<ChartRequest, "rows" | "warnings">>;
  /** Called with the number of rows of each item that has been queried; see `countRows`. */
  onRows?(rowCount: number): void;
  /** Called with the reason when an item of a dashboard could not be drawn. */
  onFailure?(failure: ApiError | PluginError, item: ChartItem): void;
}

export interface DrawOptions extends PrepareDrawing {
  /** The filters that the picture names below its title. */
  readonly filters?: readonly string[];
  readonly width: number;
  readonly height: number;
}

/** How an item whose query has been answered is drawn. */
export interface ItemDrawing {
  readonly width: number;
  readonly height: number;
  /** The filters that the picture names below its title. */
  readonly filters?: readonly string[];
  /** The part of a table that the picture shows. */
  readonly tablePart?: TablePart;
}

/** Draws an item whose query has been answered, in any size. */
export type DrawAnswered = (drawing: ItemDrawing) => Scene;

/**
 * Runs the query of an item and draws its answer.
 * @throws {ApiError | PluginError} if the query fails
 */
export async function drawStored(
  dashboard: Dashboard,
  item: ChartItem,
  options: DrawOptions,
): Promise<Scene> {
  const draw = await prepareStored(dashboard, item, options, await colorsOf([item], options));
  return draw(options);
}

/**
 * Runs the query of an item, and returns the function that draws its answer.
 * @throws {ApiError | PluginError} if the query fails
 */
export async function prepareStored(
  dashboard: Dashboard,
  item: ChartItem,
  options: PrepareDrawing,
  colors: Colors,
): Promise<DrawAnswered> {
  const { localeId, timezoneId, answer } = options;
  const drawKind = await loadDrawing(item, localeId);
  const { where, having } = filtersIn(dashboard, item);
  const { sort, hiddenSeries = [] } = dashboard.chosen.items.get(item.id) ?? {};
  const view = {
    where,
    ...(localeId !== undefined && { localeId }),
    ...(timezoneId !== undefined && { timezoneId }),
  };
  const isLater = isRanking(item);
  const sorting = sort && !isLater ? { cell: sort.cell, direction: sort.order } : undefined;
  const found = await fetchItem(item, { ...view, having, sorting }, sendWith(answer));
  const answered = found ?? { rows: [] };
  if (found) options.onRows?.(countRows(queryOf(item)?.query ?? {}, found.rows));
  const column = sort && isLater ? readColumns(requestOf(item, options))[sort.cell] : undefined;
  const { rows } = answered;
  const valueOf = (cell: ChartCell | undefined) =>
    cell === null || cell === undefined
      ? null
      : (column?.number(cell) ?? column?.wallMs(cell) ?? column?.text(cell) ?? null);
  const sorted =
    sort && column
      ? sortedIndexes(
          rows.length,
          (row) => valueOf(rows[row]?.[sort.cell]),
          sort,
          localeId ?? "en",
        ).flatMap((row) => [rows[row] ?? []])
      : rows;
  const shown = { ...answered, rows: sorted, hiddenSeries: new Set(hiddenSeries) };
  return drawerOf({ item, drawKind }, options, colors, shown);
}

/**
 * Counts the rows of an answer that contain data. A query without dimensions always returns a row, which counts only if
 * one of its numbers is neither 0 nor null.
 */
function countRows(
  { dimensions }: Readonly<Record<string, unknown>>,
  rows: ChartRequest["rows"],
): number {
  if (Array.isArray(dimensions) && dimensions.length > 0) return rows.length;
  return rows.filter((row) => row.some((cell) => cell !== null && cell !== 0)).length;
}

/** Returns the colours of values in items, which are those of the same items in every dashboard. */
export async function colorsOf(
  items: readonly ChartItem[],
  { theme, answer }: PrepareDrawing,
): Promise<Colors> {
  return createColors(theme, await fetchValues(items, sendWith(answer)));
}

const sendWith =
  (answer: PrepareDrawing["answer"]): SendQueries =>
  async (queries) =>
    Promise.all(queries.map(async (query) => answerOf(query, answer)));

/** Runs one of several queries. A refusal belongs to its query, so that the others are still answered. */
async function answerOf(query: object, answer: PrepareDrawing["answer"]): Promise<QueryAnswer> {
  try {
    return await answer(query);
  } catch (failure) {
    if (failure instanceof ApiError || failure instanceof PluginError) return { rows: [], failure };
    throw failure;
  }
}

/** As `prepareStored`, but if the query fails, the item shows the reason instead. */
export async function prepareOrExplain(
  dashboard: Dashboard,
  item: ChartItem,
  options: PrepareDrawing,
  colors: Colors,
): Promise<DrawAnswered> {
  try {
    return await prepareStored(dashboard, item, options, colors);
  } catch (failure) {
    const isShown = failure instanceof ApiError || failure instanceof PluginError;
    if (!isShown) throw failure;
    options.onFailure?.(failure, item);
    const drawKind = await loadDrawing(item, options.localeId);
    return drawerOf({ item, drawKind }, options, colors, { rows: [], failure: failure.message });
  }
}

/** Loads the draw function of an item, and the words of its picture. */
async function loadDrawing({ type }: ChartItem, localeId = "en"): Promise<DrawKind> {
  const kind = kindOfItem(type)?.kind ?? "table";
  const [drawKind] = await Promise.all([loadKind(kind, localeId), loadWords(localeId)]);
  return drawKind;
}

function requestOf(
  item: ChartItem,
  { localeId = "en", timezoneId = "UTC" }: PrepareDrawing,
): Pick<ChartRequest, "item" | "fields" | "localeId" | "timezoneId"> {
  return { item, fields: queryOf(item)?.fields ?? [], localeId, timezoneId };
}

function drawerOf(
  { item, drawKind }: { readonly item: ChartItem; readonly drawKind: DrawKind },
  options: PrepareDrawing,
  colors: Colors,
  answered: Omit<ItemAnswer, "fields"> & Pick<ChartRequest, "hiddenSeries" | "failure">,
): DrawAnswered {
  const { theme } = options;
  const request = {
    ...requestOf(item, options),
    ...answered,
    theme,
    colors,
    nowMs: Date.now(),
  };
  return ({ width, height, filters, tablePart }) =>
    drawItem(
      { ...request, width, height, ...(filters && { filters }), ...(tablePart && { tablePart }) },
      drawKind,
    );
}
