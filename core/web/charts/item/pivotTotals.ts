import type { ChartItem } from "./item.ts";
import { queryOf, type ItemQuery } from "./queryOf.ts";
import type { TotalsOptions } from "./totalsOf.ts";

/** Totals over all columns, over all rows, or over both. */
export type PivotPart = "down" | "across" | "grand";

/** A query for one part of a pivot table's totals. */
export interface PivotTotalsQuery {
  readonly part: PivotPart;
  readonly query: ItemQuery;
  /** Maps the cells of a result row to the fields of the item. */
  place<Cell>(row: readonly Cell[]): (Cell | null)[];
}

/**
 * Returns the queries for the totals of a pivot table whose options include `totals`: its measures without the rows,
 * without the columns, and without both. All queries have the same filters. The host computes each from the data, so
 * averages and distinct counts are correct. Returns an empty list for other items, and for items with filters on
 * groups.
 */
export function pivotTotalsOf(
  item: ChartItem,
  { having = [], ...options }: TotalsOptions = {},
): readonly PivotTotalsQuery[] {
  if (item.type !== "pivot-table" || item.options.totals !== true || having.length > 0) return [];
  const all = queryOf(item)?.fields ?? [];
  const has = (slot: string) => all.some((field) => field.slot === slot);
  if (!has("measure")) return [];
  const [hasRows, hasColumns] = [has("row"), has("column")];
  const parts: readonly (readonly [PivotPart, readonly string[]])[] = [
    ...(hasRows && hasColumns ? [["down", ["column"]] as const] : []),
    ...(hasRows ? [["across", ["row"]] as const] : []),
    ...(hasRows && hasColumns ? [["grand", ["row", "column"]] as const] : []),
  ];
  return parts.flatMap(([part, without]) => {
    const fields = item.fields.filter(({ slot }) => !without.includes(slot));
    const itemQuery = queryOf({ ...item, fields, options: {} }, options);
    if (!itemQuery) return [];
    const cells = all.map((field) => itemQuery.fields.indexOf(field));
    return [{ part, query: itemQuery.query, place: (row) => cells.map((at) => row[at] ?? null) }];
  });
}
