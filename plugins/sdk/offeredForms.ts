import type { Capabilities, ColumnFilter, Filter, Query } from "../protocol/index.ts";

/**
 * Hosts of the numbered versions send `=` and `!=` as `in` and `not in` with one value. Not every plugin offers these
 * operators.
 */
const single = { in: "=", "not in": "!=" } as const;

/**
 * Rewrites `in` and `not in` with one value as `=` and `!=` if the plugin offers only the latter. The meaning is the
 * same.
 */
export function offeredForms(query: Query, { filters: offered }: Capabilities): Query {
  const isOffered = (operator: ColumnFilter["expression"]) =>
    Boolean(offered?.operators[operator] ?? offered?.superset?.[operator]);
  const formOf = (filter: Filter): Filter => {
    if (!("column_id" in filter)) return filter;
    const { expression, value = [] } = filter;
    if (expression !== "in" && expression !== "not in") return filter;
    const form = single[expression];
    const isSingle = value.length === 1 && value[0] !== null;
    if (!isSingle || isOffered(expression) || !isOffered(form)) return filter;
    return { ...filter, expression: form };
  };
  return { ...query, filters: query.filters.map(formOf) };
}
