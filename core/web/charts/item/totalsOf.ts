import type { ChartItem } from "./item.ts";
import { isRawItem, measureOf, splitFields, type ItemQuery, type QueryOptions } from "./queryOf.ts";

/** A query for the totals of a table. */
export interface TotalsQuery {
  /** The query, whose answer is a single row with the totals. */
  readonly query: ItemQuery;
  /** Maps the row of totals to the columns of the item, with null for columns without a total. */
  place<Cell>(row: readonly Cell[]): (Cell | null)[];
}

/** The filters, language and time zone of a query for totals. */
export interface TotalsOptions extends Omit<QueryOptions, "isWhole"> {
  /** Filters on groups that apply to the item. */
  readonly having?: readonly unknown[];
}

/**
 * Returns the query for the totals of a table whose options include `totals`: its measures without its dimensions.
 * Averages, distinct counts and formulas are therefore computed over all filtered rows, whatever the limit. Plain
 * numbers are summed. Undefined for other items and for tables without groups. Also undefined if there are filters on
 * groups, because a query cannot aggregate over the groups that remain.
 */
export function totalsOf(
  item: ChartItem,
  { localeId, timezoneId, where = [], having = [] }: TotalsOptions = {},
): TotalsQuery | undefined {
  if (item.type !== "regular-table" || item.options.totals !== true || having.length > 0)
    return undefined;
  const { dimensions, measures } = splitFields(item);
  const isRaw = isRawItem(item);
  const fields = [...dimensions, ...measures];
  const cells = fields.flatMap((field, cell) =>
    cell >= dimensions.length || (isRaw && field.type === "numeric" && field.bins === undefined)
      ? [cell]
      : [],
  );
  if (cells.length === 0 || cells.length === fields.length) return undefined;
  return {
    query: {
      dimensions: [],
      measures: cells.flatMap((cell) => {
        const field = fields[cell];
        return field ? [measureOf(field, false)] : [];
      }),
      ...(where.length > 0 && { where }),
      options: {
        ...(localeId !== undefined && { locale_id: localeId }),
        ...(timezoneId !== undefined && { timezone_id: timezoneId }),
      },
    },
    place: (row) => fields.map((_, cell) => row[cells.indexOf(cell)] ?? null),
  };
}
