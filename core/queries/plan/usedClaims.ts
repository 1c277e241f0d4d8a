import {
  type Capabilities,
  columnFinder,
  isGroup,
  type KnownDataset,
  leaves,
  namesIn,
  type Query,
} from "../../../plugins/protocol/index.ts";

/**
 * Lists the claims of a plugin on which the answer to a query depends, by their paths in the conformance kit. Columns
 * of joined datasets have the types that the query gives them.
 */
export function usedClaims(
  query: Query,
  { columns }: KnownDataset,
  { projection, filters }: Capabilities,
): readonly string[] {
  const find = columnFinder(query, columns);
  const { options, joins = [], derived = [], having = [], order = [], groupLimit, limit } = query;
  const tests = query.filters.flatMap(leaves);
  const levels = [...query.columns, ...tests].flatMap(({ level }) => level ?? []);
  const claims = new Set(["rows", ...(projection ? ["projection"] : [])]);
  for (const { column_id, expression, level } of tests) {
    const type = find(column_id)?.type;
    const isExact = type !== undefined && filters?.operators[expression]?.includes(type) === true;
    claims.add(`filters.${isExact ? "operators" : "superset"}.${expression}.${type}`);
    if (level) claims.add("filters.levels");
  }
  if (query.filters.length > 1) claims.add("filters");
  if (query.filters.some(isGroup)) claims.add("filters.nested");
  for (const { column_id, aggregation, bin, level } of query.columns) {
    const type = find(column_id)?.type;
    if (aggregation) claims.add(`grouping.aggregations.${aggregation}`);
    else if (options.pushdown && type) claims.add(`grouping.keys.${type}`);
    if (level && (aggregation || !options.pushdown)) claims.add("levelsAnywhere");
    if (bin) claims.add(Number.isInteger(bin.width) && bin.origin === 0 ? "bins" : "decimalBins");
  }
  for (const level of levels) claims.add(`grouping.levels.${level}`);
  if (levels.length > 0 && (options.timezone_id ?? "UTC") !== "UTC")
    claims.add("grouping.timezones");
  for (const { expression } of derived)
    for (const name of namesIn(expression).functions) claims.add(`expressions.functions.${name}`);
  if (joins.length > 0) claims.add("joins");
  if (joins.some(({ and }) => and)) claims.add("compositeJoins");
  if (joins.some((join) => (join.filters ?? []).length > 0)) claims.add("joinFilters");
  if (having.length > 0) claims.add("having");
  if (order.length > 0) claims.add("order");
  if (groupLimit) claims.add("groupLimit");
  if (limit) claims.add("limit");
  return [...claims];
}
