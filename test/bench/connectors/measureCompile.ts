import { dialect as clickhouse } from "../../../connectors/clickhouse/dialect.ts";
import { dialect as duckdb } from "../../../connectors/duckdb/dialect.ts";
import { dialect as mysql } from "../../../connectors/mysql/dialect.ts";
import { dialect as postgres } from "../../../connectors/postgres/dialect.ts";
import { dialect as sqlite } from "../../../connectors/sqlite/dialect.ts";
import type { DataType, Query } from "../../../plugins/protocol/index.ts";
import { compileQuery } from "../../../plugins/sql/compileQuery.ts";
import type { Dialect } from "../../../plugins/sql/index.ts";
import { offsetSpans } from "../../../plugins/sql/offsetSpans.ts";
import { spreadOf, type Spread } from "../spread.ts";

const zone = "Europe/Brussels";
const [fromMs, toMs] = [Date.UTC(2022, 0, 1), Date.UTC(2024, 0, 1)];

/**
 * The query of a typical dashboard chart: two measures by month in a time zone, with five filters, a filter on groups,
 * and a limit of twenty rows.
 */
const chart: Query = {
  id: "orders",
  columns: [
    { column_id: "at", level: "month" },
    { column_id: "status" },
    { column_id: "price", aggregation: "sum" },
    { column_id: "customer", aggregation: "distinctcount" },
  ],
  filters: [
    { column_id: "at", expression: ">=", value: [new Date(fromMs).toISOString()] },
    { column_id: "at", expression: "<", value: [new Date(toMs).toISOString()] },
    { column_id: "status", expression: "in", value: ["status 1", "status 2", "status 3"] },
    { column_id: "customer", expression: "like", value: ["mer 1"] },
    {
      or: [
        { column_id: "price", expression: ">", value: [10] },
        { column_id: "amount", expression: "is null" },
      ],
    },
  ],
  having: [{ column: 2, expression: ">", value: [100] }],
  order: [{ column: 2, order: "desc" }],
  limit: { by: 20, offset: 0 },
  options: { pushdown: true, timezone_id: zone },
};

const types: Readonly<Record<string, DataType>> = {
  id: "numeric",
  amount: "numeric",
  price: "numeric",
  status: "hierarchy",
  customer: "hierarchy",
  at: "datetime",
};

const nativeTypes: Readonly<Record<string, Readonly<Record<DataType, string>>>> = {
  PostgreSQL: { numeric: "numeric(12,2)", hierarchy: "text", datetime: "timestamp with time zone" },
  MySQL: { numeric: "decimal(12,2)", hierarchy: "varchar(100)", datetime: "datetime(6)" },
  ClickHouse: { numeric: "Decimal(12, 2)", hierarchy: "String", datetime: "DateTime64(3)" },
  SQLite: { numeric: "REAL", hierarchy: "TEXT", datetime: "TEXT" },
  DuckDB: { numeric: "DECIMAL(12,2)", hierarchy: "VARCHAR", datetime: "TIMESTAMP" },
};

const compileCount = 2000;

/** Measures how many milliseconds each dialect takes to compile the query of a chart. */
export function measureCompile(): Readonly<Record<string, Spread>> {
  const dialects = [postgres, mysql, clickhouse, sqlite, duckdb];
  return Object.fromEntries(dialects.map((dialect) => [dialect.name, timesOf(dialect)]));
}

function timesOf(dialect: Dialect): Spread {
  const natives = nativeTypes[dialect.name];
  if (!natives) throw new Error(`no column types are defined for ${dialect.name}`);
  const table = {
    schema: "public",
    name: "orders",
    kind: "table" as const,
    columns: Object.entries(types).map(([name, type]) => ({
      name,
      type,
      nativeType: natives[type],
    })),
  };
  const compile = () => {
    const spans = new Map([["at", offsetSpans(zone, fromMs, toMs) ?? []]]);
    return compileQuery({ query: chart, table, dialect, spans }).statement.text.length;
  };
  const times: number[] = [];
  for (let run = -compileCount; run < compileCount; run++) {
    const startedAt = performance.now();
    const length = compile();
    const tookMs = performance.now() - startedAt;
    if (length < 100) throw new Error(`${dialect.name} compiled ${length} characters`);
    if (run >= 0) times.push(tookMs);
  }
  return spreadOf(times);
}
