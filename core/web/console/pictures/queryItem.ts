import {
  fetchItem,
  queryOf,
  type ChartItem,
  type FetchOptions,
  type ItemAnswer,
  type ItemQuery,
  type QueryAnswer,
  type SendQueries,
} from "../../charts/index.ts";
import type { Api } from "../api/index.ts";
import { readerLocale, readerZone } from "../language/index.ts";
import type { Answer } from "./answer.ts";
import { completeItem } from "./completeItem.ts";

/** An item with the answer to its query. */
export interface AnsweredItem extends ItemAnswer {
  readonly item: ChartItem;
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
  /** The order in which a reader sorted the rows. */
  readonly sorting?: FetchOptions["sorting"];
  readonly signal?: AbortSignal;
}

/** Fetches an item and returns its rows with an explanation; undefined for an item without data. */
export async function queryItem(
  api: Pick<Api, "call" | "get">,
  item: ChartItem,
  { where, having = [], sorting, signal }: QueryItemOptions = {},
): Promise<AnsweredItem | undefined> {
  const options = {
    localeId: readerLocale,
    timezoneId: readerZone,
    ...(where && { where }),
  };
  const itemQuery = queryOf(item, options);
  if (!itemQuery) return undefined;
  const query = having.length > 0 ? { ...itemQuery.query, having } : itemQuery.query;
  const begun = performance.now();
  let answer: Answer | undefined;
  const send = async (queries: readonly ItemQuery[]): Promise<readonly QueryAnswer[]> => {
    const find = { explain: true, queries };
    const answered = await api.call<Answer | readonly Answer[]>(
      "data",
      "get",
      { find },
      { signal },
    );
    const all = [answered].flat();
    // The first query of the first call is that of the item's rows.
    answer ??= all[0];
    return all.map(readAnswer);
  };
  const [complete, fetched] = await Promise.all([
    completeItem(api, item, signal),
    fetchItem(item, { ...options, having, sorting }, send),
  ]);
  if (!fetched || !answer) return undefined;
  const fields = queryOf(complete, options)?.fields ?? fetched.fields;
  return { ...fetched, fields, item, query, answer, elapsedMs: performance.now() - begun };
}

/** Creates the function that sends queries in one call, without an explanation. */
export function createSend(api: Api, signal: AbortSignal): SendQueries {
  return async (queries) => {
    const find = { queries };
    const answered = await api.call<Answer | readonly Answer[]>(
      "data",
      "get",
      { find },
      { signal },
    );
    return [answered].flat().map(readAnswer);
  };
}

function readAnswer({ data, warnings, error }: Answer): QueryAnswer {
  return {
    rows: data,
    ...(warnings && { warnings }),
    ...(error && { failure: new Error(error.message) }),
  };
}
