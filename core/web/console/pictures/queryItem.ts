import {
  askTotals,
  queryOf,
  type ChartCell,
  type ChartItem,
  type ChartRequest,
  type SlotField,
} from "../../charts/index.ts";
import type { Api } from "../api/index.ts";
import { readerLocale, readerZone } from "../language/index.ts";
import type { Answer } from "./answer.ts";

export interface AskedItem {
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

export interface AskItemOptions {
  readonly where?: readonly unknown[];
  readonly having?: readonly unknown[];
  readonly signal?: AbortSignal;
}

/** Queries the rows of an item, with an explanation; undefined for an item without data. */
export async function askItem(
  api: Api,
  item: ChartItem,
  { where, having = [], signal }: AskItemOptions = {},
): Promise<AskedItem | undefined> {
  const asking = {
    localeId: readerLocale,
    timezoneId: readerZone,
    ...(where && { where }),
  };
  const asked = queryOf(item, asking);
  if (!asked) return undefined;
  const { fields } = asked;
  const query = having.length > 0 ? { ...asked.query, having } : asked.query;
  const begun = performance.now();
  const ask = (queries: readonly object[]) =>
    api.call<Answer>("data", "get", { find: { explain: true, queries } }, { signal });
  const [answer, totals] = await Promise.all([
    ask([query]),
    askTotals(item, { ...asking, having }, async (each) => (await ask([each])).data),
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
