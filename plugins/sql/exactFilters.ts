import {
  filterPushdown,
  type Capabilities,
  type FindColumn,
  type Query,
} from "../protocol/index.ts";
import type { SqlTable } from "./driver.ts";

/**
 * Lists the filters of a query that a statement applied exactly, according to the current columns of the table. The
 * columns that the caller knows may be outdated, for instance if a collation has changed since. Statements of a dialect
 * without projection have no filters. O(filters).
 */
export function exactFilters(
  { filters, options }: Pick<Query, "filters" | "options">,
  { columns }: Pick<SqlTable, "columns">,
  capabilities: Capabilities,
): readonly number[] {
  if (!capabilities.projection) return [];
  const find: FindColumn = (id) => {
    const column = columns.find(({ name }) => name === id);
    return column && { type: column.type, ...(column.narrowed && { narrowed: column.narrowed }) };
  };
  return filters.flatMap((filter, index) => {
    const { pushdown } = filterPushdown(filter, capabilities, find, options.timezone_id);
    return pushdown === "exact" ? [index] : [];
  });
}
