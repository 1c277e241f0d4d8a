import type { ChartItem } from "./item.ts";
import { isRawItem, measureOf, splitFields, type ItemQuery, type QueryOptions } from "./queryOf.ts";

/** A question for the totals of a table. */
export interface TotalsQuestion {
  /** Has one row: the totals. */
  readonly query: ItemQuery;
  /** Puts that row below the columns of the item; null where a column has no total. */
  place<Cell>(row: readonly Cell[]): (Cell | null)[];
}

export interface TotalsOptions extends Omit<QueryOptions, "isWhole"> {
  /** Filters of groups that the item is under. */
  readonly having?: readonly unknown[];
}

/**
 * Makes the question for the totals of a table whose options have `totals`: its measures without its dimensions, so
 * that averages, distinct counts and formulas are those of all rows that the filters leave, whatever the limit. Plain
 * numbers are summed. Undefined for other items, for a table without groups, and under filters of groups: no query
 * has a measure over the groups that they leave.
 */
export function totalsOf(
  item: ChartItem,
  { localeId, timezoneId, where = [], having = [] }: TotalsOptions = {},
): TotalsQuestion | undefined {
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
