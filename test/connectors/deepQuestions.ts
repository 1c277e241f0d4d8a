/**
 * Minimum number of random queries in the deep layer, for the suite of each source. Each query runs on the store and on
 * the source, and the cells of the two answers are compared.
 */
export const deepQuestions: Readonly<Record<string, number>> = {
  "connectors/postgres": 3000,
  "connectors/mysql": 3000,
  "connectors/clickhouse": 5000,
  "connectors/sqlite": 3000,
  "connectors/duckdb": 5000,
  "examples/firebird": 2600,
  "a plugin of protocol 1.0.0": 1300,
  "a plugin of protocol 3.0.0": 1300,
};
