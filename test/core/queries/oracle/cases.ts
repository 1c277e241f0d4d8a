import type { AskedQuery } from "./oracleQuery.ts";

/**
 * A query that once told of a mistake; it is asked again in every run, over random rows and of every kind of plugin.
 */
export interface KeptQuery {
  readonly told: string;
  /** `zone` is one of the zones of the world. */
  query(zone: string): AskedQuery;
}

const of = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });

export const keptQueries: readonly KeptQuery[] = [
  {
    told: "days of a date were not made complete beside an instant in a time zone",
    query: (timezone_id) => ({
      dimensions: [of("day", { level: 5, include_nonoccurring: true })],
      measures: [of("at", { level: 5, aggregation: "min" })],
      options: { timezone_id },
    }),
  },
  {
    told: "a number of bins was chosen over fewer values than were then answered, which gave more bins, up to a refusal",
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
    told: "an order by a level of a date beside an instant in a time zone named no dimension",
    query: (timezone_id) => ({
      dimensions: [of("day", { level: 9 }), of("at", { level: 5 })],
      order: [of("day", { level: 9, order: "desc" }), of("at", { level: 5 })],
      options: { timezone_id },
    }),
  },
  {
    told: "an order of raw rows by a column meant its bins, which stood before it",
    query: () => ({
      dimensions: [of("m", { discretization: { type: "linear", size: 3 } }), of("s")],
      measures: [of("m")],
      order: [of("m", { order: "desc" }), of("s")],
      options: { rollup_data: false },
    }),
  },
  {
    told: "shards of ClickHouse got an instant before 1900 as another one",
    query: () => ({
      dimensions: [of("n")],
      measures: [of("w", { aggregation: "min" })],
      where: [{ expression: "? > ?", parameters: [of("at"), "-000001-12-31T23:59:59.999Z"] }],
    }),
  },
];
