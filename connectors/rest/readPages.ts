import { createHash } from "node:crypto";
import { PluginError } from "../../plugins/protocol/index.ts";
import { readCsv, type RowBlock } from "../../plugins/rows/index.ts";
import type { ApiAnswer } from "./createClient.ts";
import type { ApiDataset, Limits } from "./description.ts";

export interface PagesOptions {
  readonly base: URL;
  readonly dataset: ApiDataset;
  readonly limits: Limits;
  /** The columns that are asked for. */
  readonly names: readonly string[];
  readonly parameters: readonly (readonly [name: string, value: string])[];
  readonly get: (url: URL) => Promise<ApiAnswer>;
}

/** The place of the next page; undefined after the last. */
type Next =
  | { readonly parameter: string; readonly value: string }
  | { readonly url: URL }
  | undefined;

/**
 * Reads the rows of an API, page by page, to the end: pages by number and by offset until one is empty, or until the
 * total is reached; a shorter page may be the server's own limit. Nothing is left out: what exceeds a limit is refused.
 * @throws {PluginError} PLUGIN_SOURCE_FAILED for a page that is not as described, or comes again
 */
export async function* readPages(options: PagesOptions): AsyncGenerator<RowBlock> {
  const { dataset, limits, get } = options;
  const seen = new Set<string>();
  let url = firstUrl(options);
  const asked = new Set([url.href]);
  let rowCount = 0;
  for (let page = 1; ; page++) {
    if (page > limits.pages)
      throw failed(`there are more than ${limits.pages} pages; raise limits.pages, or filter`);
    const answer = await get(url);
    const { rows, body, whole } = await rowsOf(answer, options, page);
    rowCount += rows.length;
    if (rowCount > limits.rows)
      throw failed(`there are more than ${limits.rows} rows; raise limits.rows, or filter`);
    if (rows.length > 0) {
      if (dataset.pages) {
        const digest = createHash("sha256").update(whole()).digest("base64");
        if (seen.has(digest))
          throw failed(
            `page ${page} has the rows of an earlier one; the API does not page as described`,
          );
        seen.add(digest);
      }
      yield { rows, placeOf: (index) => `page ${page}, row ${index + 1}` };
    }
    const next = nextOf({ answer, body, url, page, rowCount, pageRows: rows.length }, dataset);
    if (!next) return;
    if ("url" in next) {
      if (next.url.origin !== url.origin)
        throw failed(`page ${page} names a next page of another origin, which gets no credentials`);
      url = next.url;
    } else {
      url = new URL(url);
      url.searchParams.set(next.parameter, next.value);
    }
    if (asked.has(url.href))
      throw failed(`page ${page} names itself, or an earlier page, as the next one`);
    asked.add(url.href);
  }
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
  readonly body: unknown;
  readonly url: URL;
  readonly page: number;
  /** Rows of all pages so far. */
  readonly rowCount: number;
  readonly pageRows: number;
}

function nextOf(read: ReadPage, { pages }: ApiDataset): Next {
  if (!pages) return undefined;
  const { body, page, rowCount, pageRows } = read;
  const total = pages.total === undefined ? undefined : Number(memberAt(body, pages.total));
  if (total !== undefined && !Number.isSafeInteger(total))
    throw failed(`page ${page} has no whole number at ${pages.total}`);
  switch (pages.type) {
    case "number":
    case "offset": {
      const isEnd = total === undefined ? pageRows === 0 : rowCount >= total;
      if (isEnd) return undefined;
      if (pageRows === 0) throw failed(`page ${page} is empty after ${rowCount} of ${total} rows`);
      const value = pages.type === "offset" ? rowCount : (pages.first ?? 1) + page;
      return { parameter: pages.parameter, value: String(value) };
    }
    case "cursor": {
      const cursor = memberAt(body, pages.at) ?? "";
      if (typeof cursor !== "string" && typeof cursor !== "number")
        throw failed(`page ${page} has no text or number at ${pages.at}`);
      return cursor === ""
        ? checkedEnd(read, total)
        : { parameter: pages.parameter, value: String(cursor) };
    }
    case "link": {
      const target = nextLink(read.answer.headers.link);
      if (target === undefined) return checkedEnd(read, total);
      if (!URL.canParse(target, read.url))
        throw failed(`page ${page} has a link that is no address`);
      return { url: new URL(target, read.url) };
    }
  }
}

function checkedEnd({ rowCount }: ReadPage, total: number | undefined): undefined {
  if (total !== undefined && rowCount < total)
    throw failed(`the pages end after ${rowCount} of ${total} rows`);
}

/** Reads the target of `rel="next"` (RFC 8288). */
function nextLink(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header.join(",") : (header ?? "");
  for (const [, target, parameters = ""] of text.matchAll(
    /<([^>]*)>((?:\s*;\s*[\w*-]+\s*(?:=\s*(?:"[^"]*"|[^",;\s]*))?)*)/g,
  ))
    if (/;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next)(?:\s*;|\s*$)/i.test(parameters))
      return target;
  return undefined;
}

interface PageRows {
  readonly rows: readonly (readonly unknown[])[];
  readonly body: unknown;
  /** The rows with all members, as a text, without what is around them: a time there is another in each answer. */
  whole(): string;
}

async function rowsOf(
  { body: bytes }: ApiAnswer,
  { dataset, names }: PagesOptions,
  page: number,
): Promise<PageRows> {
  const text = decoded(bytes, page);
  if (dataset.format === "csv")
    return { rows: await csvRows(text, names, dataset, page), body: undefined, whole: () => text };
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw failed(`page ${page} is not JSON`, { cause });
  }
  const found = dataset.rows === undefined ? body : memberAt(body, dataset.rows);
  if (!Array.isArray(found))
    throw failed(
      `page ${page} has no array ${dataset.rows === undefined ? "" : `at ${dataset.rows}`}`.trimEnd(),
    );
  const paths = names.map((name) => pathOf(dataset, name));
  const rows = found.map((row: unknown, index) => {
    if (typeof row !== "object" || row === null)
      throw failed(`page ${page}, row ${index + 1} is no object`);
    return paths.map((path) => memberAt(row, path));
  });
  return { rows, body, whole: () => JSON.stringify(found) };
}

async function csvRows(
  text: string,
  names: readonly string[],
  dataset: ApiDataset,
  page: number,
): Promise<readonly (readonly unknown[])[]> {
  const parts = (async function* () {
    yield text;
  })();
  const rows: (readonly unknown[])[] = [];
  let indexes: readonly number[] | undefined;
  let width = 0;
  for await (const { records, lines } of readCsv(parts, ","))
    for (const [index, record] of records.entries()) {
      if (!indexes) {
        width = record.length;
        indexes = names.map((name) => record.indexOf(pathOf(dataset, name)));
        const missing = names.find((_, column) => indexes![column] === -1);
        if (missing !== undefined)
          throw failed(`page ${page} has no column ${JSON.stringify(missing)}`);
        continue;
      }
      if (record.length !== width)
        throw failed(`page ${page}, line ${lines[index]} has ${record.length} cells, not ${width}`);
      rows.push(indexes.map((column) => record[column] ?? null));
    }
  return rows;
}

function decoded(bytes: Uint8Array, page: number): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw failed(`page ${page} is not utf-8`, { cause });
  }
}

function pathOf({ columns }: ApiDataset, name: string): string {
  const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
  return (typeof column === "object" ? column.at : undefined) ?? name;
}

/** Returns the member at a path such as `data.items`; a member of the whole name comes first. */
function memberAt(value: unknown, path: string): unknown {
  const own = (from: unknown, name: string): unknown =>
    typeof from === "object" && from !== null && Object.hasOwn(from, name)
      ? (from as Readonly<Record<string, unknown>>)[name]
      : undefined;
  const whole = own(value, path);
  return whole === undefined && path.includes(".") ? path.split(".").reduce(own, value) : whole;
}

function failed(detail: string, options?: ErrorOptions): PluginError {
  return new PluginError("PLUGIN_SOURCE_FAILED", [detail], options);
}
