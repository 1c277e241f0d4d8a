import { ApiError } from "../../base/index.ts";
import type { QueryLimits } from "../limits.ts";
import { memberPath, readBoolean, readList, readMembers, readText } from "./readMembers.ts";
import type { Parameters } from "./resolveParameter.ts";
import { createWorkMeter } from "../workMeter.ts";
import { countFilters } from "./countFilters.ts";
import { parseConditions } from "./parseConditions.ts";
import { parseFrom } from "./parseFrom.ts";
import { parseLocale } from "./parseLocale.ts";
import { parseReference } from "./parseReference.ts";
import { parseTimezone } from "./parseTimezone.ts";
import type { GroupPage, OrderItem, Page, ParsedQuery } from "../parsedQuery.ts";

const queryMembers = [
  "dimensions",
  "measures",
  "where",
  "having",
  "order",
  "limit",
  "from",
  "options",
  "context",
  "explain",
] as const;
const optionMembers = [
  "rollup_data",
  "cells",
  "timezone_id",
  "paging",
  "locale_id",
  "max_age",
  "synchronized",
  "aiSummary",
] as const;

/** An unparsed query, with its path for messages. */
export interface RawQuery {
  readonly path: string;
  readonly value: unknown;
  /** Whether the caller requested an explanation. */
  readonly explain: boolean;
}

/** The queries of a call. If `several` is true, the call is answered with a list. */
export interface RawQueries {
  readonly several: boolean;
  readonly queries: readonly RawQuery[];
}

/**
 * Parses the `find` of a call: `{queries: […]}` or a single query. Rejects a call with too many tests or listed values
 * before parsing any of its queries.
 * @throws {ApiError} MEMBER_MISSING, MEMBER_INVALID, MEMBER_UNKNOWN, QUERY_TOO_MUCH_WORK
 */
export function parseQueries(find: unknown, limits: QueryLimits): RawQueries {
  if (find === undefined || find === null)
    throw new ApiError("MEMBER_MISSING", [
      "find",
      "{queries: [{dimensions, measures, …}]} or a single query",
    ]);
  const meter = createWorkMeter(limits.work);
  if (typeof find !== "object" || !Object.hasOwn(find, "queries")) {
    meter.spend(countFilters(find), "");
    return { several: false, queries: [{ path: "", value: find, explain: isExplained(find, "") }] };
  }
  const members = readMembers(find, "find", ["queries", "context", "explain"]);
  const queries = readList(members.queries, "queries");
  if (queries.length === 0)
    throw new ApiError("MEMBER_INVALID", ["queries", "it must contain at least one query"]);
  if (queries.length > limits.queryCount)
    throw new ApiError("MEMBER_INVALID", [
      "queries",
      `it must contain at most ${limits.queryCount} queries`,
    ]);
  for (const [index, query] of queries.entries())
    meter.spend(countFilters(query), `queries[${index}]`);
  return {
    several: queries.length > 1,
    queries: queries.map((value, index) => {
      const path = `queries[${index}]`;
      return { path, value, explain: isExplained(members, "") || isExplained(value, path) };
    }),
  };
}

function isExplained(value: unknown, path: string): boolean {
  if (typeof value !== "object" || value === null) return false;
  return readBoolean(
    "explain" in value ? value.explain : undefined,
    memberPath(path, "explain"),
    false,
  );
}

/** Options of the caller's token, which apply to queries that do not set them. */
export interface QueryDefaults {
  readonly timezoneId?: string | undefined;
  readonly localeId?: string | undefined;
}

/** Reads an option from the query, or else from the token. */
function readOption(
  read: (value: unknown, path: string) => string | undefined,
  [given, path]: readonly [unknown, string],
  [fallback, member]: readonly [string | undefined, string],
): string | undefined {
  const isGiven = given !== undefined && given !== null && given !== "";
  return isGiven ? read(given, path) : read(fallback, `${member} of the token`);
}

/**
 * Parses one data query. `context`, `options.synchronized` and `options.aiSummary` are accepted and ignored.
 * @throws {ApiError} MEMBER_UNKNOWN, MEMBER_INVALID, MEMBER_MISSING, QUERY_NOT_SERVED, with the path of the member
 */
export function parseQuery(
  value: unknown,
  path: string,
  limits: QueryLimits,
  parameters: Parameters = new Map(),
  defaults: QueryDefaults = {},
): ParsedQuery {
  const members = readMembers(value, path || "find", queryMembers);
  const at = (member: string) => memberPath(path, member);
  const list = (member: string) =>
    readList(members[member], at(member)).map((entry, index) => ({
      entry,
      path: `${at(member)}[${index}]`,
    }));
  const references = (member: string) =>
    list(member).map((item) => parseReference(item.entry, item.path));
  const dimensions = references("dimensions");
  const measures = references("measures");
  if (dimensions.length + measures.length === 0)
    throw new ApiError("MEMBER_MISSING", [
      at("dimensions"),
      "a query needs at least one dimension or measure",
    ]);
  if (dimensions.length + measures.length > limits.columnCount)
    throw new ApiError("MEMBER_INVALID", [
      at("measures"),
      `dimensions and measures must be at most ${limits.columnCount} columns in total`,
    ]);
  const order = list("order");
  if (order.length > limits.columnCount)
    throw new ApiError("MEMBER_INVALID", [
      at("order"),
      `it must contain at most ${limits.columnCount} items`,
    ]);
  const options = readMembers(members.options ?? {}, at("options"), optionMembers);
  const { page: limit, groupLimit } = parseLimit(members.limit, at("limit"), limits);
  const timezoneId = readOption(
    parseTimezone,
    [options.timezone_id, at("options.timezone_id")],
    [defaults.timezoneId, "timezone_id"],
  );
  const localeId = readOption(
    parseLocale,
    [options.locale_id, at("options.locale_id")],
    [defaults.localeId, "locale_id"],
  );
  const maxAgeMs = readMaxAge(options.max_age, at("options.max_age"));
  const from = parseFrom(members.from, at("from"), limits, (inner, innerPath) =>
    parseQuery(inner, innerPath, limits, parameters, defaults),
  );
  return {
    path,
    ...(from && { from }),
    dimensions,
    measures,
    where: parseConditions(members.where, at("where"), limits, parameters),
    having: parseConditions(members.having, at("having"), limits, parameters),
    order: order.map((item) => parseOrderItem(item.entry, item.path)),
    ...(groupLimit && { groupLimit }),
    limit: pageWithin(limit, parsePage(options.paging, at("options.paging"))),
    rollup: readBoolean(options.rollup_data, at("options.rollup_data"), true),
    timezoneId,
    ...(localeId !== undefined && { localeId }),
    ...(isPlain(options.cells, at("options.cells")) && { isPlain: true }),
    ...(maxAgeMs !== undefined && { maxAgeMs }),
  };
}

function parseOrderItem(value: unknown, path: string): OrderItem {
  const reference = parseReference(value, path, ["order"]);
  const isGiven = typeof value === "object" && value !== null && "order" in value;
  const given = isGiven ? (value.order ?? "asc") : "asc";
  const order = readText(given, `${path}.order`).toLowerCase();
  if (order !== "asc" && order !== "desc")
    throw new ApiError("MEMBER_INVALID", [`${path}.order`, "it must be asc or desc"]);
  return { reference, order };
}

function readMaxAge(value: unknown, path: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" && value >= 0) return value * 1000;
  throw new ApiError("MEMBER_INVALID", [
    path,
    "it must be a number of seconds, 0 or more; 0 always queries the source",
  ]);
}

function isPlain(value: unknown, path: string): boolean {
  if (value === undefined || value === null) return false;
  if (value === "plain") return true;
  throw new ApiError("MEMBER_INVALID", [
    path,
    "it must be plain, which returns strings instead of {id, name}, or be left out",
  ]);
}

function parsePage(value: unknown, path: string, more: readonly "per"[] = []): Page | undefined {
  if (value === undefined || value === null) return undefined;
  const members = readMembers(value, path, ["by", "offset", ...more]);
  return {
    by: readCount(members.by, `${path}.by`),
    offset: readCount(members.offset ?? 0, `${path}.offset`),
  };
}

/** Parses `limit`: a page, or with `per`, the page of the rows that are equal in some columns. */
function parseLimit(
  value: unknown,
  path: string,
  { columnCount }: Pick<QueryLimits, "columnCount">,
): { readonly page?: Page | undefined; readonly groupLimit?: GroupPage } {
  const isGiven = typeof value === "object" && value !== null && "per" in value;
  if (!isGiven || value.per === undefined || value.per === null)
    return { page: parsePage(value, path, ["per"]) };
  const { per, ...page } = readMembers(value, path, ["by", "offset", "per"]);
  const given = readList(per, `${path}.per`);
  if (given.length === 0)
    throw new ApiError("MEMBER_INVALID", [
      `${path}.per`,
      "it must list at least one dimension, or be left out",
    ]);
  if (given.length > columnCount)
    throw new ApiError("MEMBER_INVALID", [
      `${path}.per`,
      `it must list at most ${columnCount} dimensions`,
    ]);
  const columns = given.map((entry, index) => parseReference(entry, `${path}.per[${index}]`));
  const { by = 0, offset = 0 } = parsePage(page, path) ?? {};
  return { groupLimit: { by, offset, per: columns } };
}

function readCount(value: unknown, path: string): number {
  if (value === undefined || value === null)
    throw new ApiError("MEMBER_MISSING", [path, "a number of rows"]);
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0)
    throw new ApiError("MEMBER_INVALID", [path, "it must be a whole number, 0 or more"]);
  return value;
}

/** Returns the part of a page that is within `limit`. */
function pageWithin(limit: Page | undefined, page: Page | undefined): Page | undefined {
  if (!limit || !page) return limit ?? page;
  return {
    by: Math.max(0, Math.min(page.by, limit.by - page.offset)),
    offset: limit.offset + page.offset,
  };
}
