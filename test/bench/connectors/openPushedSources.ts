import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { createClient } from "@clickhouse/client";
import { DuckDBInstance } from "@duckdb/node-api";
import mysql from "mysql2/promise";
import { createDriver as createClickhouse } from "../../../connectors/clickhouse/createDriver.ts";
import { dialect as clickhouse } from "../../../connectors/clickhouse/dialect.ts";
import { openDriver as openDuckdb } from "../../../connectors/duckdb/driver.ts";
import { dialect as duckdb } from "../../../connectors/duckdb/dialect.ts";
import { createDriver as createMysql } from "../../../connectors/mysql/createDriver.ts";
import { dialect as mysqlDialect } from "../../../connectors/mysql/dialect.ts";
import { createDriver as createPostgres } from "../../../connectors/postgres/createDriver.ts";
import { dialect as postgres } from "../../../connectors/postgres/dialect.ts";
import { openDriver as openSqlite } from "../../../connectors/sqlite/driver.ts";
import { dialect as sqlite } from "../../../connectors/sqlite/dialect.ts";
import { addFunctions } from "../../../connectors/sqlite/functions.ts";
import {
  millisecondsOf,
  type Batch,
  type BatchColumn,
  type Credentials,
} from "../../../plugins/protocol/index.ts";
import {
  tableId,
  type Dialect,
  type SqlDriver,
  type Statement,
} from "../../../plugins/sql/index.ts";
import { needsClickhouse, openClickhouseDatabase } from "../../support/clickhouseDatabase.ts";
import { openMariadbDatabase } from "../../support/mariadbDatabase.ts";
import { findMariadb } from "../../support/mariadbServer.ts";
import { openReach } from "../../support/openReach.ts";
import { openOrders } from "./openOrders.ts";
import { columnNames, orderBatch, orderColumns } from "./orders.ts";

/**
 * The table of orders in one database, with the parts of its connector and a separate connection of the same driver.
 */
export interface PushedSource {
  readonly dialect: Dialect;
  readonly driver: SqlDriver;
  readonly credentials: Credentials;
  readonly datasetId: string;
  /** Sends a statement by hand and reads all rows. Resolves to the number of rows. */
  send(statement: Statement): Promise<number>;
  /** Closes everything except the connector's driver. */
  close(): Promise<void>;
}

const timeoutMs = 60_000;
const sizeBytes = 2 ** 28;
const rowsAtOnce = 500;

/** Opens each source on this machine, except sources whose server is not installed. */
export const pushedSources: Readonly<Record<string, (rowCount: number) => Promise<PushedSource>>> =
  {
    PostgreSQL: openPostgresSource,
    ...(findMariadb() !== undefined && { MariaDB: openMariadbSource }),
    ...(needsClickhouse.missing === undefined && { ClickHouse: openClickhouseSource }),
    SQLite: openSqliteSource,
    DuckDB: openDuckdbSource,
  };

async function openPostgresSource(rowCount: number): Promise<PushedSource> {
  const { client, credentials, datasetId, close } = await openOrders(rowCount);
  return {
    dialect: postgres,
    driver: createPostgres({ reach: openReach(), timeoutMs }),
    credentials,
    datasetId,
    async send({ text, values }) {
      return (await client.query({ text, values: [...values], rowMode: "array" })).rows.length;
    },
    close,
  };
}

async function openMariadbSource(rowCount: number): Promise<PushedSource> {
  const database = await openMariadbDatabase();
  const { host, port, user, password } = database;
  const types = ["int", "double", "decimal(12, 2)", "varchar(40)", "varchar(40)", "datetime(3)"];
  await database.run(`create table orders (${definedAs(types, "`")})`);
  for (const rows of rowTexts(rowCount)) await database.run(`insert into orders values ${rows}`);
  const client = await mysql.createConnection({
    host,
    port,
    user,
    password,
    database: database.database,
    rowsAsArray: true,
    dateStrings: true,
  });
  await client.query("set time_zone = '+00:00', sql_mode = 'NO_BACKSLASH_ESCAPES'");
  return {
    dialect: mysqlDialect,
    driver: createMysql({ reach: openReach(), timeoutMs }),
    credentials: {
      host,
      key: user,
      token: password,
      properties: { port: String(port), scope: database.database },
    },
    datasetId: tableId({ schema: database.database, name: "orders" }),
    async send({ text, values }) {
      const [rows] = await client.execute(text, [...values] as string[]);
      return (rows as unknown[]).length;
    },
    async close() {
      await client.end();
      await database.close();
    },
  };
}

async function openClickhouseSource(rowCount: number): Promise<PushedSource> {
  const database = await openClickhouseDatabase();
  const { host, port, admin } = database;
  const types = ["Int32", "Float64", "Decimal(12, 2)", "String", "String", "DateTime64(3, 'UTC')"];
  await database.run(
    `create table orders (${definedAs(types, "`")}) engine = MergeTree order by tuple()`,
  );
  for (const rows of rowTexts(rowCount)) await database.run(`insert into orders values ${rows}`);
  const client = createClient({
    url: `http://${host}:${port}`,
    username: admin.name,
    password: admin.password,
    database: database.database,
  });
  return {
    dialect: clickhouse,
    driver: createClickhouse({ reach: openReach(), timeoutMs, sizeBytes }),
    credentials: {
      host,
      key: admin.name,
      token: admin.password,
      properties: { port: String(port), scope: database.database },
    },
    datasetId: tableId({ schema: database.database, name: "orders" }),
    async send({ text, values }) {
      const found = await client.query({
        query: text,
        query_params: Object.fromEntries(
          values.map((value, index) => [`p${index + 1}`, unescaped(String(value))]),
        ),
        format: "JSONCompactEachRow",
        clickhouse_settings: { session_timezone: "UTC", join_use_nulls: 1 },
      });
      return (await found.json()).length;
    },
    async close() {
      await client.close();
      await database.close();
    },
  };
}

/**
 * Removes the escapes from a parameter, because the client escapes parameters itself. This is safe, because the queries
 * contain no control characters.
 */
function unescaped(parameter: string): string {
  return parameter.replaceAll(/\\(.)/g, "$1");
}

async function openSqliteSource(rowCount: number): Promise<PushedSource> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-bench-")));
  const path = join(folder, "orders.sqlite");
  const database = new DatabaseSync(path);
  addFunctions(database, millisecondsOf, (reading) => reading);
  const types = ["integer", "real", "numeric", "text", "text", "datetime"];
  database.exec(`create table orders (${definedAs(types, '"')})`);
  for (const rows of rowTexts(rowCount)) database.exec(`insert into orders values ${rows}`);
  return {
    dialect: sqlite,
    driver: openSqlite({ reach: openReach(folder), timeoutMs, sizeBytes }),
    credentials: { host: path, properties: {} },
    datasetId: tableId({ schema: "main", name: "orders" }),
    async send({ text, values }) {
      const statement = database.prepare(text);
      statement.setReturnArrays(true);
      return statement.all(...(values as SQLInputValue[])).length;
    },
    async close() {
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openDuckdbSource(rowCount: number): Promise<PushedSource> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-bench-")));
  const path = join(folder, "orders.duckdb");
  const types = ["integer", "double", "decimal(12, 2)", "varchar", "varchar", "timestamp"];
  const filling = await DuckDBInstance.create(path);
  const filler = await filling.connect();
  await filler.run(`create table orders (${definedAs(types, '"')})`);
  for (const rows of rowTexts(rowCount)) await filler.run(`insert into orders values ${rows}`);
  filler.closeSync();
  filling.closeSync();
  // The connector opens the same file, also read-only.
  const instance = await DuckDBInstance.create(path, { access_mode: "READ_ONLY" });
  const connection = await instance.connect();
  return {
    dialect: duckdb,
    driver: openDuckdb({ reach: openReach(folder), timeoutMs, sizeBytes }),
    credentials: { host: path, properties: {} },
    datasetId: tableId({ schema: "main", name: "orders" }),
    async send({ text, values }) {
      const prepared = await connection.prepare(text);
      values.forEach((value, index) => {
        if (typeof value === "number") prepared.bindDouble(index + 1, value);
        else prepared.bindVarchar(index + 1, String(value));
      });
      const { length } = (await prepared.runAndReadAll()).getRows();
      prepared.destroySync();
      return length;
    },
    async close() {
      connection.closeSync();
      instance.closeSync();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function definedAs(types: readonly string[], quote: string): string {
  return columnNames
    .map((name, index) => `${quote}source.${name}${quote} ${types[index]}`)
    .join(", ");
}

/** Yields the rows as SQL literals that all databases accept, in strings of several hundred rows each. */
function* rowTexts(rowCount: number): Generator<string> {
  for (let from = 1; from <= rowCount; from += rowsAtOnce) {
    const batch = orderBatch(from, Math.min(rowCount, from + rowsAtOnce - 1));
    yield Array.from({ length: batch.rowCount }, (_, row) => rowText(batch, row)).join(", ");
  }
}

function rowText({ columns }: Batch, row: number): string {
  return `(${columns.map((column, index) => literal(column, row, index)).join(", ")})`;
}

function literal(column: BatchColumn, row: number, index: number): string {
  if (column.type === "hierarchy") return `'${column.dictionary[column.codes[row] ?? 0]}'`;
  const value = column.values[row] ?? 0;
  if (orderColumns[index]?.type !== "datetime") return String(value);
  return `'${new Date(value).toISOString().slice(0, 23).replace("T", " ")}'`;
}
