import { queryOf, type ChartCell, type ChartItem } from "../../charts/index.ts";
import type { Api } from "../api/index.ts";
import { readerLocale, readerZone } from "../language/index.ts";
import type { Picture } from "./consolePicture.ts";
import type { Answer } from "./answer.ts";

export interface AskedItem {
  readonly picture: Picture;
  /** The query as it was sent. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly answer: Answer;
  /** From the call to the answer, in milliseconds. */
  readonly elapsedMs: number;
}

export interface AskItemOptions {
  readonly where?: readonly unknown[];
  readonly signal?: AbortSignal;
}

/** Asks for the rows of an item, with the explanation; undefined for an item without data. */
export async function askItem(
  api: Api,
  item: ChartItem,
  { where, signal }: AskItemOptions = {},
): Promise<AskedItem | undefined> {
  const asked = queryOf(item, {
    localeId: readerLocale,
    timezoneId: readerZone,
    ...(where && { where }),
  });
  if (!asked) return undefined;
  const { query, fields } = asked;
  const begun = performance.now();
  const answer = await api.call<Answer>(
    "data",
    "get",
    { find: { explain: true, queries: [query] } },
    { signal },
  );
  const rows = answer.data as readonly (readonly ChartCell[])[];
  return { picture: { item, fields, rows }, query, answer, elapsedMs: performance.now() - begun };
}
