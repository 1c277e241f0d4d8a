import { fillIn, isObject, listOf, type ChartItem, type ItemFilters } from "../../charts/index.ts";
import type { CallHost } from "../host/index.ts";
import { viewWordsOf } from "../view/index.ts";
import { datasetsOf } from "./itemFilters.ts";

export interface ExplainedItem {
  readonly item: ChartItem;
  /** Whether the item shows no rows. */
  readonly isEmpty: boolean;
  /** The filters of the item, of which the last `addedCount` are those of the page and of the reader. */
  readonly filters: ItemFilters;
  readonly callHost: CallHost;
  readonly signal: AbortSignal;
  readonly localeId: string;
  readonly timezoneId: string;
}

/**
 * Returns which rows an item shows, as sentences: what limits access, and how many rows the filters of the dashboard
 * and those of the reader leave. They name neither the limits nor the numbers of rows outside them. Empty if the host
 * cannot say.
 */
export async function explainRows(options: ExplainedItem): Promise<readonly string[]> {
  const { item, isEmpty, filters, callHost, signal, localeId, timezoneId } = options;
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
  const limits = limitsIn(answers).map((origin) => why[wordOf[origin]]);
  const told = [
    ...(limits.length > 0 ? limits : all === 0 ? [why.noRows] : []),
    ...(all > afterStored ? [leave(why.storedLeave, afterStored, all)] : []),
    ...(afterStored > afterAll ? [leave(why.chosenLeave, afterAll, afterStored)] : []),
    ...(isEmpty && afterAll > 0 ? [leave(why.groupsLeave, afterAll, afterAll)] : []),
  ];
  return told.length > 0 ? told : [leave(why.allRows, all, all)];
}

/** Returns the number of rows in an answer; undefined if the host did not answer. */
function rowCountIn(answer: unknown): number | undefined {
  const [row] = isObject<"data">(answer) ? listOf(answer.data) : [];
  const [count] = listOf(row);
  return typeof count === "number" ? count : undefined;
}

/** The words for what limits access, by the origin of the filters. */
const wordOf = { share: "byShare", token: "byToken", filter_group: "limited" } as const;
const origins = ["share", "token", "filter_group"] as const;

/** Returns the origins of the filters of a policy that applied to the answers. */
function limitsIn(answers: readonly unknown[]): readonly (typeof origins)[number][] {
  const found = new Set(
    answers.flatMap((answer) => {
      const { explain } = isObject<"explain">(answer) ? answer : {};
      const { filters } = isObject<"filters">(explain) ? explain : {};
      return listOf(filters).map((filter) =>
        isObject<"origin">(filter) ? filter.origin : undefined,
      );
    }),
  );
  return origins.filter((origin) => found.has(origin));
}
