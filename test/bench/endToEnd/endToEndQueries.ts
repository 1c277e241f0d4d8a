import type { FlightColumns } from "../queryPath/dashboard.ts";

/** A query of a dashboard, in the forms that the servers accept. */
export interface DashboardQuery {
  readonly title: string;
  /** The value of `find.queries[0]` in the call to the host. */
  readonly query: object;
  /** The same query for DuckDB, with parameters `$1` and `$2`. */
  readonly sql: string;
  /** SQL that is faster if strings are stored as ENUM. The default is `sql`. */
  readonly tunedSql?: string;
  readonly values: readonly (string | number)[];
  /** Whether the order of rows does not matter, as in a scatter plot. */
  readonly isUnordered?: boolean;
  /** Whether the caller uses a token with a row filter, as a tenant of a software vendor does. */
  readonly isTenant?: boolean;
}

/** The departure airport in the row filter of the tenant. */
export const tenantOrigin = "ATL";

/**
 * Returns the twelve queries: single numbers, charts by place and time, a scatter plot, and filters set by users and
 * tokens.
 */
export function endToEndQueries(datasetId: string, columns: FlightColumns): DashboardQuery[] {
  const of = (name: string, more: object = {}) => ({
    dataset_id: datasetId,
    column_id: columns[name],
    ...more,
  });
  const count = { dataset_id: datasetId, column_id: "*", aggregation: { type: "count" } };
  const by = (name: string, type: string) => of(name, { aggregation: { type } });
  const test = (name: string, expression: string, value: unknown) => ({
    expression,
    parameters: [of(name), value],
  });
  const averageDelay = by("delay", "average");
  const month = of("date", { level: 3 });
  return [
    {
      title: "single row of numbers",
      query: { measures: [count, averageDelay, by("distance", "sum")] },
      sql: "SELECT count(*)::INTEGER, avg(delay), sum(distance) FROM flights",
      values: [],
    },
    {
      title: "by origin",
      query: { dimensions: [of("origin")], measures: [averageDelay, count] },
      sql: "SELECT origin, avg(delay), count(*)::INTEGER FROM flights GROUP BY origin ORDER BY origin::VARCHAR",
      values: [],
    },
    {
      title: "top ten averages",
      query: {
        dimensions: [of("origin")],
        measures: [averageDelay, count],
        having: [{ expression: "? > ?", parameters: [count, 1000] }],
        order: [{ ...averageDelay, order: "desc" }],
        limit: { by: 10 },
      },
      sql: "SELECT origin, avg(delay) a, count(*)::INTEGER c FROM flights GROUP BY origin HAVING c > $1 ORDER BY a DESC LIMIT 10",
      values: [1000],
    },
    {
      title: "by month",
      query: { dimensions: [month], measures: [averageDelay, count] },
      sql: "SELECT date_trunc('month', date) m, avg(delay), count(*)::INTEGER FROM flights GROUP BY m ORDER BY m",
      values: [],
    },
    {
      title: "by day",
      query: { dimensions: [of("date", { level: 5 })], measures: [averageDelay, count] },
      sql: "SELECT date_trunc('day', date) d, avg(delay), count(*)::INTEGER FROM flights GROUP BY d ORDER BY d",
      values: [],
    },
    {
      title: "filter and group",
      query: {
        dimensions: [of("hour")],
        measures: [count, averageDelay],
        where: [test("origin", "? = ?", "SFO"), test("destination", "? = ?", "LAX")],
      },
      sql: "SELECT hour, count(*)::INTEGER, avg(delay) FROM flights WHERE origin = $1 AND destination = $2 GROUP BY hour ORDER BY hour",
      values: ["SFO", "LAX"],
    },
    {
      title: "distinct count",
      query: {
        dimensions: [of("origin")],
        measures: [by("destination", "distinctcount")],
      },
      sql: "SELECT origin, count(DISTINCT destination)::INTEGER FROM flights GROUP BY origin ORDER BY origin::VARCHAR",
      values: [],
    },
    {
      title: "median",
      query: { dimensions: [of("hour")], measures: [by("delay", "median")] },
      sql: "SELECT hour, median(delay) FROM flights GROUP BY hour ORDER BY hour",
      values: [],
    },
    {
      title: "scatter plot of 5,000 rows",
      query: {
        dimensions: [of("distance"), of("delay")],
        where: [
          test("origin", "? = ?", "SEA"),
          test("date", "? >= ?", "2001-01-01T00:00:00.000Z"),
          test("date", "? < ?", "2001-01-20T00:00:00.000Z"),
        ],
        options: { rollup_data: false },
      },
      sql: "SELECT distance, delay FROM flights WHERE origin = $1 AND date >= $2::TIMESTAMP AND date < $3::TIMESTAMP",
      values: ["SEA", "2001-01-01 00:00:00", "2001-01-20 00:00:00"],
      isUnordered: true,
    },
    {
      title: "two dimensions, stacked",
      query: { dimensions: [month, of("hour")], measures: [count] },
      sql: "SELECT date_trunc('month', date) m, hour, count(*)::INTEGER FROM flights GROUP BY m, hour ORDER BY m, hour",
      values: [],
    },
    {
      title: "like",
      query: {
        dimensions: [of("destination")],
        measures: [count],
        where: [test("destination", "? like ?", "s")],
      },
      sql: "SELECT destination, count(*)::INTEGER FROM flights WHERE destination ILIKE '%' || $1 || '%' GROUP BY destination ORDER BY destination::VARCHAR",
      // ILIKE on an ENUM converts every row to a string, although the type has only a few names.
      tunedSql: `SELECT destination, count(*)::INTEGER FROM flights WHERE destination IN
        (SELECT name FROM (SELECT unnest(enum_range(NULL::destination_names)) AS name) WHERE name ILIKE '%' || $1 || '%')
        GROUP BY destination ORDER BY destination::VARCHAR`,
      values: ["s"],
    },
    {
      title: "row filter for a tenant",
      query: { dimensions: [month], measures: [averageDelay, count] },
      sql: "SELECT date_trunc('month', date) m, avg(delay), count(*)::INTEGER FROM flights WHERE origin = $1 GROUP BY m ORDER BY m",
      values: [tenantOrigin],
      isTenant: true,
    },
  ];
}
