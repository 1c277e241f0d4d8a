import {
  fetchTotals,
  queryOf,
  type ChartCell,
  type ChartItem,
  type ChartRequest,
  type SlotField,
} from "../../charts/index.ts";
import type { Api } from "../api/index.ts";
import { readerLocale, readerZone } from "../language/index.ts";
import type { Answer } from "./answer.ts";

/** An item with the answer to its query. */
export interface AnsweredItem {
  readonly item: ChartItem;
  /** Fields of a row's cells, in order. */
  readonly fields: readonly SlotField[];
  readonly rows: readonly (readonly ChartCell[])[];
  /** The totals of a table or pivot table, if its options ask for them. */
  readonly totals: Pick<ChartRequest, "totals" | "pivotTotals">;
  /** The query that was sent. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly answer: Answer;
  /** Time from the call to the answer, in milliseconds. */
  readonly elapsedMs: number;
}

/** The filters of an item, and how to cancel its query. */
export interface QueryItemOptions {
  readonly where?: readonly unknown[];
  readonly having?: readonly unknown[];
  readonly signal?: AbortSignal;
}

/** Runs the query of an item and returns the rows with an explanation; undefined for an item without data. */
export async function queryItem(
  api: Api,
  item: ChartItem,
  { where, having = [], signal }: QueryItemOptions = {},
): Promise<AnsweredItem | undefined> {
  const options = {
    localeId: readerLocale,
    timezoneId: readerZone,
    ...(where && { where }),
  };
  const itemQuery = queryOf(item, options);
  if (!itemQuery) return undefined;
  const { fields } = itemQuery;
  const query = having.length > 0 ? { ...itemQuery.query, having } : itemQuery.query;
  const begun = performance.now();
  const send = (queries: readonly object[]) =>
    api.call<Answer>("data", "get", { find: { explain: true, queries } }, { signal });
  const [answer, totals] = await Promise.all([
    send([query]),
    fetchTotals(item, { ...options, having }, async (each) => (await send([each])).data),
  ]);
  return {
    item,
    fields,
    rows: answer.data,
    query,
    answer,
    elapsedMs: performance.now() - begun,
    totals,
  };
}
