import {
  operatorDefinitions,
  type ColumnFilter,
  type Filter,
  type Query,
  isGroup,
  leaves,
} from "../../../plugins/protocol/index.ts";
import type { Connection } from "../../base/index.ts";
import type { RowsScope } from "./findColumnIn.ts";
import { pushdownOf } from "./unsupportedClauses.ts";
import { filteredColumns } from "../resolve/namedColumns.ts";
import { passesNull } from "./passesNull.ts";

/** A filter of a query, and the form of it that the plugin receives. */
export interface SentFilter {
  readonly filter: Filter;
  readonly sent: Filter;
}

/**
 * Lists the filters to push to a plugin: the filters that it promises to apply, exactly or as a superset. A plugin that
 * is not trusted gets fewer filters, because the host tests every filter again and only requires that no row is
 * missing. It does not get strings with special characters, which some plugins paste into statements. It does not get
 * tests that null may pass either, because plugins treat null differently, or tests of substrings, levels and derived
 * columns.
 */
export function pushedFilters(
  filters: readonly Filter[],
  scope: RowsScope,
  { capabilities, isTrusted }: Pick<Connection, "capabilities" | "isTrusted">,
): readonly SentFilter[] {
  const isPromised = (filter: Filter) =>
    pushdownOf(filter, scope, capabilities).pushdown !== "none";
  const promised = filters.filter(isPromised);
  if (isTrusted) return promised.map((filter) => ({ filter, sent: filter }));
  // The sent form may have another operator than the filter.
  return withoutRisk(promised, filters, scope.query).filter(({ sent }) => isPromised(sent));
}

/**
 * Lists the filters to send as hints to a plugin that promises no filters. The plugin may omit rows that fail a hint;
 * the host tests all filters. A plugin that promises filters on which the host does not rely receives no hints.
 */
export function hintedFilters(
  filters: readonly Filter[],
  { query }: Pick<RowsScope, "query">,
  { capabilities, unused = [] }: Pick<Connection, "capabilities" | "unused">,
): readonly Filter[] {
  const isDoubted = unused.some(({ capability }) => /^(?:filters|projection)/.test(capability));
  if (capabilities.filters || isDoubted) return [];
  return withoutRisk(filters, filters, query).map(({ sent }) => sent);
}

function withoutRisk(
  filters: readonly Filter[],
  anded: readonly Filter[],
  query: Pick<Query, "derived">,
): readonly SentFilter[] {
  return filters.flatMap((filter) =>
    riskOf(filter, anded, query) === undefined ? [{ filter, sent: withoutListedNull(filter) }] : [],
  );
}

/**
 * Returns why a filter is not sent to a plugin that is not trusted; undefined if it may be sent. `anded` are all
 * filters of the query.
 */
export function riskOf(
  filter: Filter,
  anded: readonly Filter[],
  { derived = [] }: Pick<Query, "derived">,
): string | undefined {
  const computed = new Set(derived.map(({ id }) => id));
  if (filteredColumns(filter).some((id) => computed.has(id)))
    return "the host computes a column that the filter tests";
  const isNullExcluded = (columnId: string) =>
    anded.some((each) => "column_id" in each && each.column_id === columnId && !passesNull(each));
  if (!isGroup(filter)) return riskOfTest(filter, isNullExcluded);
  return leaves(filter)
    .map((leaf) => riskOfTest(leaf, () => false))
    .find((risk) => risk !== undefined);
}

const nullRisk = "null passes the filter, and plugins treat null differently";

function riskOfTest(
  filter: ColumnFilter,
  isNullExcluded: (columnId: string) => boolean,
): string | undefined {
  const { column_id, expression, value = [], level } = filter;
  if (level) return "plugins truncate datetimes differently";
  if (!value.every((cell) => typeof cell !== "string" || isPlainText(cell)))
    return "a value contains characters that some plugins paste into statements, or a year that many sources cannot read";
  const { tests, complementOf } = operatorDefinitions[expression];
  switch (tests) {
    case "equality":
      if (complementOf === undefined) return value.includes(null) ? nullRisk : undefined;
      // SQL has no empty list. Plugins replace it with a list that matches no row, which would be wrong for `not in`.
      if (value.length === 0) return "plugins treat empty lists differently";
      return passesNull(filter) && !isNullExcluded(column_id) ? nullRisk : undefined;
    case "order":
      return value.includes(null) ? "plugins order null differently" : undefined;
    case "null":
      return undefined;
    case "part":
      return "plugins compare parts of strings differently";
  }
}

/**
 * Removes null from the list of `not in`, because in SQL no row passes `not in` with null in the list. The host itself
 * rejects rows with null.
 */
function withoutListedNull(filter: Filter): Filter {
  if (!("column_id" in filter) || filter.expression !== "not in") return filter;
  const value = (filter.value ?? []).filter((cell) => cell !== null);
  const { column_id } = filter;
  const isNullAlone = value.length === 0 && (filter.value ?? []).length > 0;
  const test: ColumnFilter = isNullAlone
    ? { column_id, expression: "is not null" }
    : { ...filter, value };
  return test;
}

/**
 * Strings that are safe to send: letters except modifier letters (databases turn some of these into quotes), digits,
 * spaces, and punctuation that no query language interprets inside a string. Comment marks are excluded.
 */
const plainText = /^(?!.*(?:--|\/\*|\/\/))[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{M}\p{Nd} _.,:@+/&()-]*$/u;

/** Instants before the year 1 or after the year 9999, which many sources cannot parse. */
const farInstant = /^(?:0000|[-+]\d{6})-\d\d-\d\dT/;

function isPlainText(text: string): boolean {
  return plainText.test(text) && !farInstant.test(text);
}
