import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A cell as an existing plugin sends it. */
export type LegacyCell = string | number | boolean | null;

export interface LegacyDataset {
  readonly id: string;
  readonly name: unknown;
  readonly columns: readonly {
    readonly id: string;
    readonly name?: unknown;
    readonly type: string;
    readonly subtype?: string | null;
  }[];
  readonly rows: readonly (readonly LegacyCell[])[];
}

export interface LegacyPluginOptions {
  /** The protocol version. Versions 1.x list datasets on GET, and later versions on POST. */
  readonly version: "1.0.0" | "1.1.0" | "2.0.0" | "3.0.0";
  /**
   * Whether the plugin filters and groups, as existing plugins over SQL databases do. Otherwise, every query returns
   * all columns and rows.
   */
  readonly pushdown: boolean;
  readonly datasets: readonly LegacyDataset[];
  readonly secret?: string;
  /** Whether the plugin ignores all filters. */
  readonly ignoresFilters?: boolean;
  /** Required values of X-Key and X-Token. Without them, /authorize responds with 404. */
  readonly authorize?: { readonly key: string; readonly token: string };
}

export interface LegacyRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  /** The parsed JSON, or undefined for a request without a body. */
  readonly body: LegacyBody | undefined;
}

/** The members of the protocol's requests. They are not checked. */
export interface LegacyBody {
  readonly id: string;
  readonly columns: readonly RequestedColumn[];
  readonly filters: readonly LegacyFilterBody[];
  readonly filters_all?: readonly (LegacyFilterBody & { readonly dataset_id: string })[];
  readonly options: {
    readonly pushdown: boolean;
    readonly timezone_id?: string;
    readonly query_timeout?: number;
  };
  readonly user: Readonly<Record<string, unknown>>;
  readonly code?: string;
  readonly [member: string]: unknown;
}

export interface LegacyFilterBody {
  readonly column_id: string;
  readonly expression: string;
  readonly value?: readonly LegacyCell[];
}

export interface LegacyPlugin {
  readonly url: string;
  readonly requests: LegacyRequest[];
  /** Injects a fault: replaces the response to the next request for a path. */
  answerNext(path: string, answer: (response: ServerResponse) => void): void;
  close(): Promise<void>;
}

/**
 * Opens an HTTP plugin for a numbered protocol version that behaves like existing plugins:
 * - Sums and counts are strings, and group cells come first.
 * - `!=`, `<>` and a list after `=` are ignored without an error.
 * - A null test with a value fails, and comparisons never pass nulls.
 * - Queries for groups without an aggregation are not grouped, the minimum and maximum of dates are null, and weeks are
 * treated as days.
 * - Errors are plain text with a JSON content type, and unknown paths return an HTML page with status 404.
 */
export async function openLegacyPlugin(options: LegacyPluginOptions): Promise<LegacyPlugin> {
  const requests: LegacyRequest[] = [];
  const scripted = new Map<string, ((response: ServerResponse) => void)[]>();
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const path = request.url ?? "";
    const body = text ? JSON.parse(text) : undefined;
    requests.push({ method: request.method ?? "", path, headers: request.headers, body });
    const answer = scripted.get(path)?.shift();
    if (answer) answer(response);
    else respond(options, request, body, response);
  };
  // If handling a request fails, the unhandled rejection stops the test file.
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answerNext(path, answer) {
      scripted.set(path, [...(scripted.get(path) ?? []), answer]);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function respond(
  options: LegacyPluginOptions,
  request: IncomingMessage,
  body: LegacyBody | undefined,
  response: ServerResponse,
): void {
  const { headers } = request;
  const json = (value: unknown) =>
    response.setHeader("Content-Type", "application/json").end(JSON.stringify(value));
  const fail = (status: number, text: string) =>
    response.writeHead(status, { "Content-Type": "application/json" }).end(text);
  if (options.secret !== undefined && headers["x-secret"] !== options.secret) {
    fail(403, "Given plugin secret does not match");
    return;
  }
  const listing = options.version.startsWith("1.") ? "GET /datasets" : "POST /datasets";
  switch (`${request.method} ${request.url}`) {
    case listing:
      json(
        options.datasets.map(({ id, name, columns }) => ({ id, name, columns, properties: {} })),
      );
      return;
    case "POST /authorize":
      if (!options.authorize) break;
      if (
        headers["x-key"] === options.authorize.key &&
        headers["x-token"] === options.authorize.token
      )
        json("Success");
      else fail(401, JSON.stringify("Wrong user name or password"));
      return;
    case "POST /exchange":
      json({ access_token: `access-${body?.code}`, refresh_token: "refresh" });
      return;
    case "POST /query": {
      const dataset = options.datasets.find(({ id }) => id === body?.id);
      if (!dataset || !body) fail(500, `relation "${body?.id}" does not exist`);
      else if (!options.pushdown) json(dataset.rows);
      else if (body.filters?.some(({ expression, value }) => expression.endsWith("null") && value))
        fail(500, 'syntax error at or near ")"');
      else if (!body.columns) fail(500, "Cannot read properties of undefined (reading 'map')");
      else json(answer(dataset, options.ignoresFilters ? { ...body, filters: [] } : body));
      return;
    }
  }
  response
    .writeHead(404, { "Content-Type": "text/html" })
    .end(`<!DOCTYPE html><pre>Cannot ${request.method} ${request.url}</pre>`);
}

export interface RequestedColumn {
  readonly column_id: string;
  readonly level?: string;
  readonly aggregation?: string;
}

type Row = readonly LegacyCell[];

function answer(dataset: LegacyDataset, body: LegacyBody): unknown[][] {
  const indexOf = (id: string) => dataset.columns.findIndex((column) => column.id === id);
  const rows = dataset.rows.filter((row) =>
    body.filters.every((filter) => passes(row[indexOf(filter.column_id)] ?? null, filter)),
  );
  const { columns } = body;
  const cell = (row: Row, { column_id, level }: RequestedColumn) =>
    truncated(row[indexOf(column_id)] ?? null, level);
  const isGrouped = body.options.pushdown && columns.some(({ aggregation }) => aggregation);
  if (!isGrouped) return rows.map((row) => columns.map((column) => cell(row, column)));
  const keys = columns.filter((column) => !column.aggregation);
  const measures = columns.filter((column) => column.aggregation);
  const groups = new Map<string, Row[]>();
  if (keys.length === 0) groups.set("[]", []);
  for (const row of rows) {
    const key = JSON.stringify(keys.map((column) => cell(row, column)));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups].map(([key, members]) => [
    ...JSON.parse(key),
    ...measures.map((measure) => aggregated(members, indexOf(measure.column_id), measure)),
  ]);
}

function aggregated(
  rows: readonly Row[],
  index: number,
  { column_id, aggregation }: RequestedColumn,
): LegacyCell {
  if (column_id === "*") return String(rows.length);
  const cells = rows.map((row) => row[index] ?? null).filter((value) => value !== null);
  if (aggregation === "count") return String(cells.length);
  if (aggregation === "distinctcount") return String(new Set(cells).size);
  if (cells.length === 0) return null;
  if (aggregation === "sum")
    return String(cells.reduce<number>((sum, value) => sum + Number(value), 0));
  if (cells.some(isInstant)) return null;
  const sorted = [...cells].sort((a, b) => (isBefore(a, b) ? -1 : 1));
  return (aggregation === "min" ? sorted[0] : sorted.at(-1)) ?? null;
}

function passes(cell: LegacyCell, { expression, value = [] }: LegacyFilterBody): boolean {
  const [first = null] = value;
  switch (expression) {
    case "is null":
      return cell === null;
    case "is not null":
      return cell !== null;
    case "in":
      return value.includes(cell);
    case "not in":
      return !value.includes(cell);
    case "<":
      return cell !== null && first !== null && isBefore(cell, first);
    case "<=":
      return cell !== null && first !== null && !isBefore(first, cell);
    case ">":
      return cell !== null && first !== null && isBefore(first, cell);
    case ">=":
      return cell !== null && first !== null && !isBefore(cell, first);
    default:
      return true;
  }
}

type Value = NonNullable<LegacyCell>;

/** Compares instants as numbers, because years beyond 9999 would be sorted wrongly as strings. */
function isBefore(one: Value, other: Value): boolean {
  if (!isInstant(one) || !isInstant(other)) return one < other;
  return Date.parse(one) < Date.parse(other);
}

function isInstant(value: Value | LegacyCell): value is string {
  return typeof value === "string" && /^[-+]?\d{4,6}-\d\d-\d\dT/.test(value);
}

const starts: Readonly<Record<string, (at: Date) => void>> = {
  year: (at) => at.setUTCMonth(0, 1),
  quarter: (at) => at.setUTCMonth(at.getUTCMonth() - (at.getUTCMonth() % 3), 1),
  month: (at) => at.setUTCDate(1),
  week: () => undefined,
  day: () => undefined,
  hour: (at) => at.setUTCMinutes(0, 0, 0),
  minute: (at) => at.setUTCSeconds(0, 0),
  second: (at) => at.setUTCMilliseconds(0),
};
const shorterThanDays = ["hour", "minute", "second"];

function truncated(cell: LegacyCell, level: string | undefined): LegacyCell {
  const toStart = level === undefined ? undefined : starts[level];
  if (!toStart || level === undefined || typeof cell !== "string") return cell;
  const at = new Date(cell);
  if (!shorterThanDays.includes(level)) at.setUTCHours(0, 0, 0, 0);
  toStart(at);
  return (Number.isNaN(at.getTime()) ? new Date(-8.64e15) : at).toISOString();
}
