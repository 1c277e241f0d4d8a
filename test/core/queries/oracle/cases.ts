import type { AskedQuery } from "./oracleQuery.ts";

/**
 * A query that once revealed a bug. Every test run compares its answers again, over random rows and with every kind of
 * plugin.
 */
export interface KeptQuery {
  readonly told: string;
  /** Returns the query. `zone` is one of the time zones of the world. */
  query(zone: string): AskedQuery;
}

const of = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });

export const keptQueries: readonly KeptQuery[] = [
  {
    told: "a complete date dimension lacked days next to an instant in a time zone",
    query: (timezone_id) => ({
      dimensions: [of("day", { level: 5, include_nonoccurring: true })],
      measures: [of("at", { level: 5, aggregation: "min" })],
      options: { timezone_id },
    }),
  },
  {
    told: "bins were chosen over fewer values than were returned, which gave too many bins or an error",
    query: () => ({
      dimensions: [
        of("cost", { discretization: { type: "linear", bins: 6 }, include_nonoccurring: true }),
      ],
      measures: [of("n")],
      where: [
        { expression: "? = ?", parameters: [of("city"), "nowhere"] },
        { expression: "? >= ?", parameters: [of("cost"), -20] },
      ],
    }),
  },
  {
    told: "ordering by a level of a date next to an instant in a time zone found no dimension",
    query: (timezone_id) => ({
      dimensions: [of("day", { level: 9 }), of("at", { level: 5 })],
      order: [of("day", { level: 9, order: "desc" }), of("at", { level: 5 })],
      options: { timezone_id },
    }),
  },
  {
    told: "ordering plain rows by a column used the bins of the column before it",
    query: () => ({
      dimensions: [of("m", { discretization: { type: "linear", size: 3 } }), of("s")],
      measures: [of("m")],
      order: [of("m", { order: "desc" }), of("s")],
      options: { rollup_data: false },
    }),
  },
  {
    told: "shards of ClickHouse received a wrong instant before 1900",
    query: () => ({
      dimensions: [of("n")],
      measures: [of("w", { aggregation: "min" })],
      where: [{ expression: "? > ?", parameters: [of("at"), "-000001-12-31T23:59:59.999Z"] }],
    }),
  },
];
