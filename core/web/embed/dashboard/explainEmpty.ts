import { fillIn, isObject, listOf, type ChartItem, type ItemFilters } from "../../charts/index.ts";
import type { CallHost } from "../host/index.ts";
import { viewWordsOf } from "../view/index.ts";
import { datasetsOf } from "./itemFilters.ts";

export interface EmptyItem {
  readonly item: ChartItem;
  /** The filters of the item, of which the last `addedCount` are those of the page and of the reader. */
  readonly filters: ItemFilters;
  readonly callHost: CallHost;
  readonly signal: AbortSignal;
  readonly localeId: string;
  readonly timezoneId: string;
}

/**
 * Returns why an item has no rows, as sentences: whether access is limited, and how many rows the filters of the
 * dashboard and those of the reader leave. They name neither the limits nor the numbers of rows outside them. Empty if
 * the host cannot say.
 */
export async function explainEmpty(options: EmptyItem): Promise<readonly string[]> {
  const { item, filters, callHost, signal, localeId, timezoneId } = options;
  const [datasetId] = datasetsOf(item);
  if (datasetId === undefined) return [];
  const { where, addedCount = 0 } = filters;
  const stored = where.slice(0, where.length - addedCount);
  const queries = [[], stored, where].map((each) => ({
    measures: [{ dataset_id: datasetId, column_id: "*", aggregation: { type: "count" } }],
    where: each,
    options: { timezone_id: timezoneId },
  }));
  const find = { explain: true, queries };
  const answers = listOf(await callHost("data", { action: "get", find }, { signal }));
  const [all, afterStored, afterAll] = answers.map(rowCountIn);
  if (all === undefined || afterStored === undefined || afterAll === undefined) return [];
  const { why } = viewWordsOf(localeId);
  const { format } = new Intl.NumberFormat(localeId);
  const leave = (sentence: string, left: number, count: number) =>
    fillIn(sentence, { left: format(left), count: format(count) });
  const isLimited = answers.some(isLimitedBy);
  return [
    ...(isLimited ? [why.limited] : all === 0 ? [why.noRows] : []),
    ...(all > afterStored ? [leave(why.storedLeave, afterStored, all)] : []),
    ...(afterStored > afterAll ? [leave(why.chosenLeave, afterAll, afterStored)] : []),
    ...(afterAll > 0 ? [leave(why.groupsLeave, afterAll, afterAll)] : []),
  ];
}

/** Returns the number of rows in an answer; undefined if the host did not answer. */
function rowCountIn(answer: unknown): number | undefined {
  const [row] = isObject<"data">(answer) ? listOf(answer.data) : [];
  const [count] = listOf(row);
  return typeof count === "number" ? count : undefined;
}

/** Returns whether filters of a policy applied to an answer: those of a token, a group or a share. */
function isLimitedBy(answer: unknown): boolean {
  const { explain } = isObject<"explain">(answer) ? answer : {};
  const { filters } = isObject<"filters">(explain) ? explain : {};
  return listOf(filters).some(
    (filter) => isObject<"origin">(filter) && filter.origin !== "question",
  );
}
