import { retryImport } from "../retryImport.ts";
import { isCombinable } from "../item/combine.ts";
import type { ChartItem, SlotField } from "../item/item.ts";
import { isRanking } from "../item/isRanking.ts";
import { kindOfItem, kindRowOf } from "../item/itemKinds.ts";
import { mostSlices } from "../item/mostSlices.ts";
import { pivotTotalsOf } from "../item/pivotTotals.ts";
import {
  dimensionOf,
  isRawItem,
  limitOf,
  measureOf,
  queryOf,
  splitFields,
  type ItemQuery,
  type QueriedItem,
} from "../item/queryOf.ts";
import { totalsOf } from "../item/totalsOf.ts";
import type { ChartCell, ChartRequest, PivotTotals } from "./chartRequest.ts";
import type { Context, CutRows, FetchOptions, Part } from "./fetchContext.ts";
import type { QueryAnswer, SendQueries } from "./sendQueries.ts";

type Row = readonly ChartCell[];

/** Loads the function that only few items need. */
const loadBeyond = retryImport(() => import("./fetchBeyond.ts"));

/** Everything that a picture shows of an item's data. */
export type ItemAnswer = Pick<
  ChartRequest,
  "fields" | "rows" | "warnings" | "totals" | "pivotTotals" | "leftOut" | "folded" | "whole"
>;

/** The queries of an item's first call. The rows are the answer to the first query. */
export interface FirstCall extends QueriedItem {
  readonly queries: readonly ItemQuery[];
}

/** Returns the queries that decide what a fetch of an item answers; undefined for an item without data. */
export function firstCallOf(item: ChartItem, options: FetchOptions = {}): FirstCall | undefined {
  const plan = planOf(item, options);
  return plan && { ...plan.queried, queries: plan.parts.map(({ query }) => query) };
}

/**
 * Fetches what an item shows: its rows, its totals and, if it cannot show all rows, what is left out. An item that
 * shows everything takes one call. The host computes every total and every rest from the data, never from parts that
 * cannot give it. Undefined for an item without data. Rejects as `send` does, and if the host cannot answer the item's
 * query.
 */
export async function fetchItem(
  item: ChartItem,
  options: FetchOptions,
  send: SendQueries,
): Promise<ItemAnswer | undefined> {
  const plan = planOf(item, options);
  if (!plan) return undefined;
  const { queried, most } = plan;
  const { fields } = queried;
  // An item with a limit usually has more groups, so they are counted in the same call.
  const rests =
    limitOf(item) === undefined ? [] : (await loadBeyond()).restParts(item, queried, most);
  const parts = [...plan.parts, ...rests];
  const answers = await send(parts.map(({ query }) => query));
  const of = (use: Part["use"]) => {
    const index = parts.findIndex((part) => part.use === use);
    return index === -1 ? undefined : answers[index];
  };
  const first = of("rows");
  if (!first || first.failure) throw first?.failure ?? new Error("no answer");
  const totals = totalsIn(parts, answers);
  const whole = wholeIn(queried, of("whole"));
  const isCut = first.rows.length > most;
  const rows = isCut ? first.rows.slice(0, most) : first.rows;
  const context: Context = { item, options, send, queried, most };
  const needsMore = isCut || mayFold(queried, item, rows.length);
  const cut: CutRows = needsMore
    ? await (
        await loadBeyond()
      ).fetchBeyond(context, { rows, isCut, known: [of("rest"), of("positive")] })
    : { rows, warnings: [] };
  const { folded } = cut;
  const warnings = [...new Set([...(first.warnings ?? []), ...cut.warnings])];
  return {
    fields,
    rows: cut.rows,
    ...(warnings.length > 0 && { warnings }),
    ...(cut.leftOut && { leftOut: cut.leftOut }),
    ...(folded && { folded }),
    ...(whole && { whole }),
    ...totals,
  };
}

interface Plan {
  readonly queried: QueriedItem;
  /** Maximum number of rows of the answer. One more is requested to detect a cut. */
  readonly most: number;
  readonly parts: readonly Part[];
}

function planOf(item: ChartItem, options: FetchOptions): Plan | undefined {
  const { having = [], sorting } = options;
  const stored = queryOf(item, options);
  if (!stored) return undefined;
  const { fields } = stored;
  const order = sorting && !isRanking(item) ? orderBy(item, fields, sorting) : undefined;
  const query: ItemQuery = {
    ...stored.query,
    ...(having.length > 0 && { having }),
    ...(order && { order: [order] }),
  };
  const queried = { fields, query };
  const most = options.mostRows ?? query.limit?.by ?? kindRowOf(item.type).mostRows;
  const parts: Part[] = [{ use: "rows", query: { ...query, limit: { by: most + 1 } } }];
  for (const { query: ofPart, take } of totalQueries(item, options))
    parts.push({ use: "total", query: ofPart, take });
  const whole = wholeQuery(item, queried);
  if (whole) parts.push({ use: "whole", query: whole });
  return { queried, most, parts };
}

function totalQueries(item: ChartItem, options: FetchOptions) {
  const ofTable = totalsOf(item, options);
  const row = ofTable && {
    query: ofTable.query,
    take: ([only]: readonly Row[]) => (only ? { totals: ofTable.place(only) } : {}),
  };
  const ofPivot = pivotTotalsOf(item, options).map(
    ({ part, rowDepth, columnDepth, query, place }) => ({
      query,
      take: (answered: readonly Row[]) => {
        const rows = answered.map(place);
        return {
          pivotTotals:
            part === "subtotals"
              ? { ...noTotals, subtotals: [{ rowDepth, columnDepth, rows }] }
              : { ...noTotals, [part]: rows },
        };
      },
    }),
  );
  return row ? [row] : ofPivot;
}

const noTotals: PivotTotals = { down: [], across: [], grand: [] };

/** Joins the parts of a pivot table's totals, each of which comes from a query of its own. */
function joinTotals(one: PivotTotals, other: PivotTotals): PivotTotals {
  const subtotals = [...(one.subtotals ?? []), ...(other.subtotals ?? [])];
  return {
    down: [...one.down, ...other.down],
    across: [...one.across, ...other.across],
    grand: [...one.grand, ...other.grand],
    ...(subtotals.length > 0 && { subtotals }),
  };
}

function totalsIn(parts: readonly Part[], answers: readonly QueryAnswer[]) {
  let found: Pick<ChartRequest, "totals" | "pivotTotals"> = {};
  for (const [index, { take }] of parts.entries()) {
    if (!take) continue;
    const { rows = [], failure } = answers[index] ?? {};
    if (failure) throw failure;
    const { totals, pivotTotals } = take(rows);
    found = {
      ...found,
      ...(totals && { totals }),
      ...(pivotTotals && {
        pivotTotals: joinTotals(found.pivotTotals ?? noTotals, pivotTotals),
      }),
    };
  }
  return found;
}

/** Returns the query for the measures over all rows, if the middle of a ring shows what its slices cannot add up to. */
function wholeQuery(item: ChartItem, { fields, query }: QueriedItem): ItemQuery | undefined {
  const measure = fields.find(({ slot }) => slot === "measure");
  const isRing = kindOfItem(item.type)?.kind === "slices" && (query.dimensions ?? []).length > 0;
  if (!isRing || !measure || isCombinable(measure) || query.having) return undefined;
  const { order: _, limit: __, ...rest } = query;
  return { ...rest, dimensions: [] };
}

function wholeIn({ fields }: QueriedItem, answer: QueryAnswer | undefined): Row | undefined {
  const [row] = answer?.rows ?? [];
  if (!row || answer?.failure) return undefined;
  const dimensionCount = fields.length - row.length;
  return fields.map((_field, cell) => row[cell - dimensionCount] ?? null);
}

/** Returns whether a picture may combine values whose aggregate only the host can compute. */
function mayFold({ fields }: QueriedItem, item: ChartItem, rowCount: number): boolean {
  const { mostSeries = Infinity } = kindRowOf(item.type);
  const isSlices = kindOfItem(item.type)?.kind === "slices";
  const most = isSlices ? mostSlices(item) : mostSeries;
  return (
    rowCount > most && fields.some((field) => field.slot === "measure" && !isCombinable(field))
  );
}

function orderBy(
  item: ChartItem,
  fields: readonly SlotField[],
  { cell, direction }: { readonly cell: number; readonly direction: "asc" | "desc" },
): object | undefined {
  const field = fields[cell];
  if (!field) return undefined;
  const { dimensions } = splitFields(item);
  const reference = dimensions.includes(field)
    ? dimensionOf(field)
    : measureOf(field, isRawItem(item));
  return { ...reference, order: direction };
}
