import { createHash } from "node:crypto";
import { PluginError } from "../../plugins/protocol/index.ts";
import { readCsv } from "../../plugins/rows/formats/index.ts";
import { serveReader } from "../../plugins/rows/serving/index.ts";
import { settingsOf, type ApiDataset } from "./description.ts";
import type { PageEnd, PageItem, PageRequest } from "./pageMessages.ts";

/** Number of rows per block. */
const blockRows = 5000;

/** Parses API responses in a separate process, because a page can have many megabytes. */
serveReader<PageRequest, PageItem>(async (request, { send }) => {
  const { dataset } = request;
  const { rows, body, whole } = await rowsOf(request);
  const isPaged = rows.length > 0 && dataset.pages !== undefined;
  const digest = isPaged ? createHash("sha256").update(whole()).digest("base64") : undefined;
  await send({ kind: "head", rowCount: rows.length, ...(digest !== undefined && { digest }) });
  for (let from = 0; from < rows.length; from += blockRows)
    await send({ kind: "rows", rows: rows.slice(from, from + blockRows) });
  await send({ kind: "end", end: endOf(body, dataset) });
});

/**
 * Returns the members that determine the next page. If one of these members is neither a string nor a number, removes
 * its content, so that the host refuses it.
 */
function endOf(body: unknown, { pages }: ApiDataset): PageEnd {
  const at = (path: string | undefined): unknown => {
    const member = path === undefined ? undefined : memberAt(body, path);
    return typeof member === "object" && member !== null ? {} : member;
  };
  const cursor = pages?.type === "cursor" ? at(pages.at) : undefined;
  return { total: at(pages?.total), cursor };
}

interface PageRows {
  readonly rows: readonly (readonly unknown[])[];
  readonly body: unknown;
  /**
   * Returns all rows of a page as one string, which is used to detect repeated pages. The members around the rows are
   * left out, because they may contain a new timestamp in each response.
   */
  whole(): string;
}

async function rowsOf({ bytes, dataset, names, page }: PageRequest): Promise<PageRows> {
  const text = decoded(bytes, page, settingsOf(dataset).encoding);
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
      `page ${page} has no array ${dataset.rows === undefined ? "of rows" : `at ${dataset.rows}`}`.trimEnd(),
    );
  const paths = names.map((name) => pathOf(dataset, name));
  const rows = found.map((row: unknown, index) => {
    if (typeof row !== "object" || row === null)
      throw failed(`page ${page}, row ${index + 1} is not an object`);
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
  const { separator = ",", skippedRows } = settingsOf(dataset);
  let left = skippedRows;
  for await (const { records, lines } of readCsv(parts, separator))
    for (const [index, record] of records.entries()) {
      if (left > 0) {
        left--;
        continue;
      }
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

function decoded(bytes: Uint8Array, page: number, encoding = "utf-8"): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw failed(`page ${page} must be ${encoding.toUpperCase()}; set encoding to its encoding`, {
      cause,
    });
  }
}

function pathOf({ columns }: ApiDataset, name: string): string {
  const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
  return (typeof column === "object" ? column.at : undefined) ?? name;
}

/** Returns the member at a path such as `data.items`. A member whose name is the whole path takes precedence. */
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
