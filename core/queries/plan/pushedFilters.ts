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

/** A filter of a query, with the form in which it is sent to the plugin. */
export interface SentFilter {
  readonly filter: Filter;
  readonly sent: Filter;
}

/**
 * Lists the filters to push to a plugin: the filters that it promises to apply, exactly or as a superset. An unverified
 * plugin gets fewer filters, because the host tests every filter again and only requires that no row is missing. It
 * does not get the following filters: strings with special characters, which some plugins paste into statements; tests
 * that null may pass, because plugins treat null differently; tests of substrings, levels and derived columns.
 */
export function pushedFilters(
  filters: readonly Filter[],
  scope: RowsScope,
  { capabilities, isVerified }: Pick<Connection, "capabilities" | "isVerified">,
): readonly SentFilter[] {
  const isPromised = (filter: Filter) =>
    pushdownOf(filter, scope, capabilities).pushdown !== "none";
  const promised = filters.filter(isPromised);
  if (isVerified) return promised.map((filter) => ({ filter, sent: filter }));
  // The sent form may have a different operator than the filter.
  return withoutRisk(promised, filters, scope.query).filter(({ sent }) => isPromised(sent));
}

/**
 * Lists the filters to send as hints to a plugin that promises no filters. The plugin may omit rows that fail a hint;
 * the host tests all filters.
 */
export function hintedFilters(
  filters: readonly Filter[],
  { query }: Pick<RowsScope, "query">,
  { capabilities }: Pick<Connection, "capabilities">,
): readonly Filter[] {
  return capabilities.filters ? [] : withoutRisk(filters, filters, query).map(({ sent }) => sent);
}

function withoutRisk(
  filters: readonly Filter[],
  anded: readonly Filter[],
  { derived = [] }: Query,
): readonly SentFilter[] {
  const computed = new Set(derived.map(({ id }) => id));
  const isNullExcluded = (columnId: string) =>
    anded.some((each) => "column_id" in each && each.column_id === columnId && !passesNull(each));
  return filters.flatMap((filter) => {
    if (filteredColumns(filter).some((id) => computed.has(id))) return [];
    return isHarmless(filter, isNullExcluded) ? [{ filter, sent: withoutListedNull(filter) }] : [];
  });
}

function isHarmless(filter: Filter, isNullExcluded: (columnId: string) => boolean): boolean {
  if (!isGroup(filter)) return isHarmlessTest(filter, isNullExcluded);
  return leaves(filter).every((leaf) => isHarmlessTest(leaf, () => false));
}

function isHarmlessTest(
  filter: ColumnFilter,
  isNullExcluded: (columnId: string) => boolean,
): boolean {
  const { column_id, expression, value = [], level } = filter;
  if (level || !value.every((cell) => typeof cell !== "string" || isPlainText(cell))) return false;
  const { tests, complementOf } = operatorDefinitions[expression];
  switch (tests) {
    case "equality":
      if (complementOf === undefined) return !value.includes(null);
      // SQL has no empty list, so plugins send a list that matches no row.
      return value.length > 0 && (!passesNull(filter) || isNullExcluded(column_id));
    case "order":
      return !value.includes(null);
    case "null":
      return true;
    case "part":
      return false;
  }
}

/**
 * Removes null from the list of `not in`, because in SQL no row passes a list with null. The host tests that null
 * fails.
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
 * Strings that are safe to send: letters without modifiers (databases turn some modifiers into quotes), digits, blanks,
 * and punctuation that no query language interprets inside a string. Comment marks are excluded.
 */
const plainText = /^(?!.*(?:--|\/\*|\/\/))[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{M}\p{Nd} _.,:@+/&()-]*$/u;

/** Instants before the year 1 and after 9999, which many sources cannot parse. */
const farInstant = /^(?:0000|[-+]\d{6})-\d\d-\d\dT/;

function isPlainText(text: string): boolean {
  return plainText.test(text) && !farInstant.test(text);
}
