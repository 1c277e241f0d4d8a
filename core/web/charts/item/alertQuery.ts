import type { ChartItem } from "./item.ts";
import { queryOf } from "./queryOf.ts";
import { listOf, objectOf } from "./readItem.ts";

type Json = Readonly<Record<string, unknown>>;

/** Datetime levels of an alert's query, by the unit of its frequency. */
const levels: Readonly<Record<string, number>> = { month: 3, week: 4, day: 5, hour: 6 };

/** The query of an alert, before its condition is added. */
export interface AlertQuery {
  /** The query, in the format of the data service. */
  readonly query: Json;
  /** The measures of the query. */
  readonly measures: readonly Json[];
  /** The unit of the query's periods; undefined for a query without a datetime. */
  readonly unit: string | undefined;
}

/**
 * Returns the query of an alert for an item: its measures over the last complete period, not grouped by time. Undefined
 * for an item without measures.
 */
export function alertQuery(
  item: ChartItem,
  { where, timezoneId }: { readonly where: readonly unknown[]; readonly timezoneId: string },
): AlertQuery | undefined {
  const query = queryOf(item, { timezoneId })?.query;
  const measures = listOf(query?.["measures"]).map(objectOf);
  if (!query || measures.length === 0) return undefined;
  const dimensions = listOf(query["dimensions"]).map(objectOf);
  const time = dimensions.find(({ level }) => typeof level === "number");
  const unit = Object.keys(levels).find((each) => levels[each] === time?.["level"]);
  const period = time && {
    expression: "ago",
    parameters: [
      { dataset_id: time["dataset_id"], column_id: time["column_id"] },
      { unit: time["level"], quantity: 1 },
    ],
  };
  return {
    unit,
    measures,
    query: {
      dimensions: dimensions.filter((each) => each !== time),
      measures,
      where: [...where, ...(period ? [period] : [])],
      options: { timezone_id: timezoneId },
    },
  };
}
