import { createRandom } from "../../support/random.ts";

/** Ids of the columns of flights, by name. */
export type FlightColumns = Readonly<Record<string, string | undefined>>;

/**
 * Returns dashboard queries over the flights: charts by period, airport and hour, single figures and top-ten lists.
 * Each query has filters that a user might choose. The same `seed` returns the same queries.
 */
export function dashboardQueries(
  datasetId: string,
  columns: FlightColumns,
  count: number,
  seed: number,
): object[] {
  const random = createRandom(seed);
  const of = (name: string, more: object = {}) => ({
    dataset_id: datasetId,
    column_id: columns[name],
    ...more,
  });
  const flights = { dataset_id: datasetId, column_id: "*", aggregation: { type: "count" } };
  const average = of("delay", { aggregation: { type: "average" } });
  const airports = ["SFO", "LAX", "ORD", "ATL", "DFW", "SEA", "BOS", "JFK", "DEN", "MIA"];
  const test = (name: string, expression: string, value: unknown) => ({
    expression,
    parameters: [of(name), value],
  });
  const month = () => {
    const start = 1 + random.below(5);
    return [
      test("date", "? >= ?", `2001-0${start}-01T00:00:00.000Z`),
      test("date", "? < ?", `2001-0${start + 1}-01T00:00:00.000Z`),
    ];
  };
  const where = () => [
    test("origin", "? in ?", random.some(airports, 0.3).concat("SFO")),
    ...(random.chance(0.7) ? month() : []),
  ];
  const charts = [
    () => ({ dimensions: [of("date", { level: 5 })], measures: [average, flights] }),
    () => ({ dimensions: [of("hour")], measures: [flights] }),
    () => ({
      dimensions: [of("destination")],
      measures: [average, flights],
      order: [{ ...flights, order: "desc" }],
      limit: { by: 10 },
    }),
    () => ({ measures: [flights, average, of("distance")] }),
    () => ({
      dimensions: [of("origin")],
      measures: [of("delay", { aggregation: { type: "max" } })],
    }),
  ];
  return Array.from({ length: count }, () => ({ ...random.pick(charts)(), where: where() }));
}

/** Returns the query of a chart with exactly `rowCount` rows. */
export function pageOfFlights(datasetId: string, columns: FlightColumns, rowCount: number): object {
  const of = (name: string, more: object = {}) => ({
    dataset_id: datasetId,
    column_id: columns[name],
    ...more,
  });
  const flights = { dataset_id: datasetId, column_id: "*", aggregation: { type: "count" } };
  return {
    dimensions: [of("origin"), of("hour")],
    measures: [of("delay", { aggregation: { type: "average" } }), flights],
    where: [
      { expression: "? >= ?", parameters: [of("date"), "2001-01-03T00:00:00.000Z"] },
      { expression: "? in ?", parameters: [of("destination"), ["SFO", "LAX", "ORD"]] },
    ],
    order: [of("origin", { order: "asc" })],
    limit: { by: rowCount },
  };
}
