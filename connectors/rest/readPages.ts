import { PluginError } from "../../plugins/protocol/index.ts";
import type { RowBlock } from "../../plugins/rows/index.ts";
import type { ApiAnswer } from "./createClient.ts";
import type { ApiDataset, Limits } from "./description.ts";
import type { PageEnd, PageItem, PageRequest } from "./pageMessages.ts";

export interface PagesOptions {
  readonly base: URL;
  readonly dataset: ApiDataset;
  readonly limits: Limits;
  /** Names of the requested columns. */
  readonly names: readonly string[];
  readonly parameters: readonly (readonly [name: string, value: string])[];
  readonly get: (url: URL) => Promise<ApiAnswer>;
  /** Parses the bytes of a page in a separate process. */
  readonly parse: (request: PageRequest) => AsyncIterable<PageItem>;
}

/** The location of the next page; undefined after the last page. */
type Next =
  | { readonly parameter: string; readonly value: string }
  | { readonly url: URL }
  | undefined;

/**
 * Reads all rows of an API page by page. With page numbers or offsets, reading ends at an empty page or when the total
 * is reached. It does not end at a short page, because the server may shorten pages. If a limit is exceeded, the call
 * fails, so rows are never left out.
 * @throws {PluginError} PLUGIN_SOURCE_FAILED for a page that does not match the description, or that repeats an earlier
 * one
 */
export async function* readPages(options: PagesOptions): AsyncGenerator<RowBlock> {
  const { dataset, limits, get, names, parse } = options;
  const seen = new Set<string>();
  let url = firstUrl(options);
  const requested = new Set([url.href]);
  let rowCount = 0;
  for (let page = 1; ; page++) {
    if (page > limits.pages)
      throw failed(
        `there are more than ${limits.pages} pages; raise limits.pages in the description, or add filters`,
      );
    const answer = await get(url);
    let pageRows = 0;
    let end: PageEnd = {};
    for await (const item of parse(requestOf(answer, { dataset, names, page }))) {
      if (item.kind === "end") {
        end = item.end;
        continue;
      }
      if (item.kind === "head") {
        rowCount += item.rowCount;
        if (rowCount > limits.rows)
          throw failed(
            `there are more than ${limits.rows} rows; raise limits.rows in the description, or add filters`,
          );
        if (item.digest === undefined) continue;
        if (seen.has(item.digest))
          throw failed(
            `page ${page} repeats the rows of an earlier page; the API does not return pages as the description says`,
          );
        seen.add(item.digest);
        continue;
      }
      const from = pageRows;
      pageRows += item.rows.length;
      yield { rows: item.rows, placeOf: (index) => `page ${page}, row ${from + index + 1}` };
    }
    const next = nextOf({ answer, end, url, page, rowCount, pageRows }, dataset);
    if (!next) return;
    if ("url" in next) {
      if (next.url.origin !== url.origin)
        throw failed(
          `page ${page} links to a next page at another origin, to which the credentials must not be sent`,
        );
      url = next.url;
    } else {
      url = new URL(url);
      url.searchParams.set(next.parameter, next.value);
    }
    if (requested.has(url.href))
      throw failed(`page ${page} links to itself or to an earlier page as the next page`);
    requested.add(url.href);
  }
}

function requestOf(
  { body, headers }: ApiAnswer,
  request: Omit<PageRequest, "bytes" | "charset">,
): PageRequest {
  const type = headers["content-type"] ?? "";
  const charset = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(type);
  const label = charset?.[1] ?? charset?.[2];
  return { ...request, bytes: body, ...(label !== undefined && { charset: label }) };
}

function firstUrl({ base, dataset, parameters }: PagesOptions): URL {
  const url = new URL(dataset.path.replace(/^\/+/, ""), base);
  if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname.replace(/\/$/, "")))
    throw new PluginError("PLUGIN_INVALID", [
      "api: the path of a dataset must be below the host of the account",
    ]);
  for (const [name, value] of [...Object.entries(dataset.query ?? {}), ...parameters])
    url.searchParams.set(name, value);
  const { pages } = dataset;
  if (pages?.sizeParameter !== undefined && pages.size !== undefined)
    url.searchParams.set(pages.sizeParameter, String(pages.size));
  if (pages?.type === "number") url.searchParams.set(pages.parameter, String(pages.first ?? 1));
  if (pages?.type === "offset") url.searchParams.set(pages.parameter, "0");
  return url;
}

interface ReadPage {
  readonly answer: ApiAnswer;
  readonly end: PageEnd;
  readonly url: URL;
  readonly page: number;
  /** Number of rows of all pages so far. */
  readonly rowCount: number;
  readonly pageRows: number;
}

function nextOf(read: ReadPage, { pages }: ApiDataset): Next {
  if (!pages) return undefined;
  const { end, page, rowCount, pageRows } = read;
  const total = pages.total === undefined ? undefined : Number(end.total);
  if (total !== undefined && !Number.isSafeInteger(total))
    throw failed(`page ${page} must have a whole number at ${pages.total}`);
  switch (pages.type) {
    case "number":
    case "offset": {
      const isEnd = total === undefined ? pageRows === 0 : rowCount >= total;
      if (isEnd) return undefined;
      if (pageRows === 0)
        throw failed(
          `page ${page} is empty, although only ${rowCount} of ${total} rows were returned`,
        );
      const value = pages.type === "offset" ? rowCount : (pages.first ?? 1) + page;
      return { parameter: pages.parameter, value: String(value) };
    }
    case "cursor": {
      const cursor = typeof end.cursor === "bigint" ? String(end.cursor) : (end.cursor ?? "");
      if (typeof cursor !== "string" && typeof cursor !== "number")
        throw failed(`page ${page} must have a string or number at ${pages.at}`);
      return cursor === ""
        ? checkedEnd(read, total)
        : { parameter: pages.parameter, value: String(cursor) };
    }
    case "link": {
      const target = nextLink(read.answer.headers["link"]);
      if (target === undefined) return checkedEnd(read, total);
      if (!URL.canParse(target, read.url))
        throw failed(`page ${page} has a link that is not a valid URL`);
      return { url: new URL(target, read.url) };
    }
  }
}

function checkedEnd({ rowCount }: ReadPage, total: number | undefined): undefined {
  if (total !== undefined && rowCount < total)
    throw failed(`the last page was reached after ${rowCount} of ${total} rows`);
}

/** Returns the target of the link with `rel="next"` (RFC 8288). */
function nextLink(text = ""): string | undefined {
  for (const [, target, parameters = ""] of text.matchAll(
    /<([^>]*)>((?:\s*;\s*[\w*-]+\s*(?:=\s*(?:"[^"]*"|[^",;\s]*))?)*)/g,
  ))
    if (/;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next)(?:\s*;|\s*$)/i.test(parameters))
      return target;
  return undefined;
}

function failed(detail: string, options?: ErrorOptions): PluginError {
  return new PluginError("PLUGIN_SOURCE_FAILED", [detail], options);
}
