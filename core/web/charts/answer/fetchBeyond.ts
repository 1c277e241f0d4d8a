import { isCombinable } from "../item/combine.ts";
import type { ChartItem, SlotField } from "../item/item.ts";
import { kindOfItem, kindRowOf } from "../item/itemKinds.ts";
import { mostSlices } from "../item/mostSlices.ts";
import {
  dimensionOf,
  isRawItem,
  limitOf,
  measureOf,
  splitFields,
  type ItemQuery,
  type QueriedItem,
} from "../item/queryOf.ts";
import { restQuery, type RestQuery } from "../item/restQuery.ts";
import type { ChartCell, CombinedRows, Folded } from "./chartRequest.ts";
import type { Context, CutRows, Part } from "./fetchContext.ts";
import type { QueryAnswer } from "./sendQueries.ts";
import { foldSeries } from "./foldSeries.ts";
import { keyOfCell } from "./keyOfCell.ts";
import { listTest } from "./listTest.ts";

type Row = readonly ChartCell[];

/** Fetches what the rows of an item leave out, and the combined values that its picture needs. */
export async function fetchBeyond(
  context: Context,
  first: {
    readonly rows: readonly Row[];
    readonly isCut: boolean;
    /** The answers to the queries of `restParts`, if they were part of the first call. */
    readonly known: readonly (QueryAnswer | undefined)[];
  },
): Promise<CutRows> {
  const { rows, isCut, known } = first;
  const cut: CutRows = isCut ? await fetchCut(context, rows, known) : { rows, warnings: [] };
  const folded = cut.folded ?? (await foldedOf(context, cut));
  return { ...cut, ...(folded && { folded }) };
}

/** Returns the queries that count and combine the rows after the first `offset`. */
export function restParts(item: ChartItem, { fields, query }: QueriedItem, offset: number): Part[] {
  const all: Part = { use: "rest", query: restQuery(query, fields, { offset }).query };
  if (!kindRowOf(item.type).isOfPositive || (query.measures ?? []).length === 0) return [all];
  const positive = restQuery(query, fields, { offset, isPositive: true });
  return [all, { use: "positive", query: positive.query }];
}

/** Fetches what the first rows of an item leave out. For periods, fetches the newest instead. */
async function fetchCut(
  context: Context,
  rows: readonly Row[],
  known: readonly (QueryAnswer | undefined)[],
): Promise<CutRows> {
  const { item, send, queried, most } = context;
  const narrowed = await narrow(context);
  if (narrowed) return narrowed;
  const newest = newestOf(context);
  const cut = newest ?? queried;
  const asked = restParts(item, cut, most);
  const [again, ...rest] = newest
    ? await send([newest.query, ...asked.map(({ query }) => query)])
    : known[0]
      ? [undefined, ...known]
      : [undefined, ...(await send(asked.map(({ query }) => query)))];
  // Without the newest periods, the picture shows the first rows and says so.
  const isNewest = newest !== undefined && again !== undefined && !again.failure;
  const read = restQuery(cut.query, cut.fields, { offset: most }).read;
  const [all, positive] = rest;
  return {
    rows: isNewest ? inOrder(again.rows) : rows,
    leftOut: {
      all: combinedIn(all, read),
      ...(kindRowOf(item.type).isOfPositive && { positive: combinedIn(positive, read) }),
      ...(isNewest && { isNewest: true as const }),
      ...((cut.query.dimensions ?? []).length === 1 && { slot: cut.fields[0]?.slot ?? "" }),
    },
    warnings: failuresIn([all, positive]),
  };
}

function combinedIn(
  answer: QueryAnswer | undefined,
  read: RestQuery["read"],
): CombinedRows | undefined {
  const [row] = answer?.rows ?? [];
  return row && !answer?.failure ? read(row) : undefined;
}

const failuresIn = (answers: readonly (QueryAnswer | undefined)[]): string[] =>
  answers.flatMap((answer) => answer?.failure?.message ?? []);

/**
 * Returns the query of an item with its newest periods first; undefined for an item without periods or with an order.
 */
function newestOf({ item, queried, most }: Context): QueriedItem | undefined {
  const { fields, query } = queried;
  const [period] = fields;
  const isOwn = query.order !== undefined || limitOf(item) !== undefined;
  if (!kindRowOf(item.type).keepsNewest || isOwn || period?.type !== "datetime") return undefined;
  if ((query.dimensions ?? []).length === 0) return undefined;
  return {
    fields,
    query: {
      ...query,
      order: [{ ...dimensionOf(period), order: "desc" }],
      limit: { by: most },
    },
  };
}

/** Puts the newest periods last. Rows of the same period stay in the order of the answer. */
function inOrder(rows: readonly Row[]): readonly Row[] {
  const periods = new Map<string, Row[]>();
  for (const row of rows) {
    const key = keyOfCell(row[0]);
    const period = periods.get(key);
    if (period) period.push(row);
    else periods.set(key, [row]);
  }
  return [...periods.values()].toReversed().flat();
}

/**
 * Fetches a picture with categories and a legend whose combinations are too many: first which categories and which
 * values of the legend have the largest totals (or are the newest), then their rows, and the rows of all other values
 * of the legend together. Undefined for items that a list of values cannot narrow.
 */
async function narrow(context: Context): Promise<CutRows | undefined> {
  const { item, send, queried, most } = context;
  const { fields, query } = queried;
  const { mostSeries, keepsNewest } = kindRowOf(item.type);
  const { dimensions } = splitFields(item);
  const [category, legend] = dimensions;
  const measure = fields[dimensions.length];
  if (mostSeries === undefined || dimensions.length !== 2 || legend?.slot !== "legend")
    return undefined;
  if (!category || !measure || query.having || limitOf(item) !== undefined) return undefined;
  if (!canList(category) || !canList(legend)) return undefined;
  const isTime = keepsNewest === true && category.type === "datetime";
  const { order, limit: _, ...unordered } = query;
  const byMeasure = { ...measureOf(measure, false), order: "desc" };
  const own = isTime ? { ...dimensionOf(category), order: "desc" } : (order?.[0] ?? byMeasure);
  const categories: ItemQuery = {
    ...unordered,
    dimensions: [dimensionOf(category)],
    order: [own],
    limit: { by: Math.max(1, Math.floor(most / mostSeries)) },
  };
  const series: ItemQuery = {
    ...unordered,
    dimensions: [dimensionOf(legend)],
    order: [byMeasure],
    limit: { by: mostSeries - 1 },
  };
  const ofMeasures = fields.slice(2);
  const categoryCount = categories.limit?.by ?? 0;
  const rest = restQuery(categories, [category, ...ofMeasures], { offset: categoryCount });
  const others = restQuery(series, [legend, ...ofMeasures], { offset: mostSeries - 1 });
  const [topCategories, topSeries, restAnswer, othersAnswer] = await send([
    categories,
    series,
    rest.query,
    others.query,
  ]);
  if (!topCategories || !topSeries || topCategories.failure || topSeries.failure) return undefined;
  const listed = (rows: readonly Row[]) => rows.map(([cell = null]) => cell);
  const inCategories = listTest(category, listed(topCategories.rows));
  const keptSeries = listed(topSeries.rows);
  const where = [...(query.where ?? []), inCategories];
  const [kept, folded] = await send([
    {
      ...query,
      where: [...where, listTest(legend, keptSeries)],
      limit: { by: categoryCount * mostSeries },
    },
    {
      ...unordered,
      dimensions: [dimensionOf(category)],
      where: [...where, listTest(legend, keptSeries, { isOther: true })],
      limit: { by: categoryCount },
    },
  ]);
  if (!kept || kept.failure) return undefined;
  const all = combinedIn(restAnswer, rest.read);
  const combined = all && { ...all, cells: insertNull(all.cells, 1) };
  const foldedCount = combinedIn(othersAnswer, others.read)?.count ?? 0;
  return {
    rows: kept.rows,
    ...((all === undefined || all.count > 0) && {
      leftOut: {
        slot: category.slot,
        all: combined,
        ...(isTime && { isNewest: true as const }),
      },
    }),
    folded: {
      kept: new Set(keptSeries.map(keyOfCell)),
      count: foldedCount,
      rows: folded && !folded.failure ? folded.rows.map((row) => insertNull(row, 1)) : undefined,
    },
    warnings: failuresIn([restAnswer, othersAnswer, folded]),
  };
}

const insertNull = (row: Row, at: number): Row => [...row.slice(0, at), null, ...row.slice(at)];

/** Returns whether a filter can list values of a field. The limits of bins depend on the rows that pass the filters. */
const canList = ({ columnId, bins }: SlotField): boolean =>
  columnId !== undefined && bins === undefined;

/**
 * Fetches the combined rows of the values that a picture combines, if its aggregates can only be computed by the host.
 * Undefined if the picture combines nothing, or can combine the values itself.
 */
async function foldedOf(context: Context, cut: CutRows): Promise<Folded | undefined> {
  const { item, send, queried } = context;
  const { rows } = cut;
  const { fields, query } = queried;
  const { order: _, limit: __, ...unordered } = query;
  const place = fields.findIndex(({ slot }) => slot === "legend");
  const isSlices = kindOfItem(item.type)?.kind === "slices";
  const found = isSlices ? foldSlices(item, queried, cut) : foldSeries(item, fields, rows);
  const cell = isSlices ? 0 : place;
  const field = fields[cell];
  if (!found || found.rows || !field || !canList(field) || query.having || isRawItem(item))
    return undefined;
  const listed = rows.flatMap((row) => {
    const value = row[cell] ?? null;
    return found.kept.has(keyOfCell(value)) ? [value] : [];
  });
  const left = (query.dimensions ?? []).filter((_dimension, index) => index !== cell);
  const [answer] = await send([
    {
      ...unordered,
      dimensions: left,
      where: [...(query.where ?? []), listTest(field, listed, { isOther: true })],
      limit: { by: Math.max(1, rows.length) },
    },
  ]);
  if (!answer || answer.failure) return found;
  return { ...found, rows: answer.rows.map((row) => insertNull(row, cell)) };
}

/** Returns which slices stay; undefined if all stay, or if their values can be added up. */
function foldSlices(
  item: ChartItem,
  { fields, query }: QueriedItem,
  { rows, leftOut }: CutRows,
): Folded | undefined {
  const at = (query.dimensions ?? []).length;
  const measure = fields[at];
  if (at !== 1 || !measure || isCombinable(measure)) return undefined;
  const valueOf = (row: Row) => (typeof row[at] === "number" ? row[at] : 0);
  const drawn = rows.filter((row) => valueOf(row) > 0);
  const most = mostSlices(item);
  if (drawn.length <= most && !leftOut) return undefined;
  const kept = drawn.toSorted((one, other) => valueOf(other) - valueOf(one)).slice(0, most - 1);
  return {
    kept: new Set(kept.map(([cell]) => keyOfCell(cell))),
    count: drawn.length - kept.length,
    rows: undefined,
  };
}
