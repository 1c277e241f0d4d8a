import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createClient } from "@clickhouse/client";
import mysql from "mysql2/promise";
import { airports } from "../support/airports.ts";
import type { ExampleDatabase } from "./exampleDatabase.ts";
import { openRecordedApi } from "./recordedApi.ts";
import { openPostgres } from "../three-sources/openPostgres.ts";

const create =
  "create table if not exists airports (code varchar(9), city varchar(99), state varchar(99))";
/**
 * The airports are constants of this example. A program that inserts other people's values should bind them as
 * parameters.
 */
const values = airports.map((airport) => `('${airport.join("', '")}')`).join(", ");
const stays = async () => undefined;

/**
 * For each connector, a function that creates the table: in a new file in `folder`, on a server that this example
 * starts, or on a server that an environment variable names.
 */
export const databases: Readonly<Record<string, (folder: string) => Promise<ExampleDatabase>>> = {
  sqlite: openSqlite,
  duckdb: openDuckdb,
  postgresql: openPostgresql,
  mysql: openMysql,
  clickhouse: openClickhouse,
  files: openFiles,
  rest: openRecordedApi,
};

async function openFiles(folder: string): Promise<ExampleDatabase> {
  const lines = [["code", "city", "state"], ...airports].map((cells) => cells.join(","));
  await writeFile(join(folder, "airports.csv"), lines.join("\n"));
  const account = { provider: "files", host: folder };
  return { account, schema: "main", table: "airports.csv", close: stays };
}

async function openSqlite(folder: string): Promise<ExampleDatabase> {
  const host = join(folder, "airports.sqlite");
  const database = new DatabaseSync(host);
  database.exec(`${create}; insert into airports values ${values}`);
  database.close();
  return { account: { provider: "sqlite", host }, schema: "main", close: stays };
}

async function openDuckdb(folder: string): Promise<ExampleDatabase> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const host = join(folder, "airports.duckdb");
  const instance = await DuckDBInstance.create(host);
  const connection = await instance.connect();
  await connection.run(create);
  await connection.run(`insert into airports values ${values}`);
  connection.closeSync();
  instance.closeSync();
  return { account: { provider: "duckdb", host }, schema: "main", close: stays };
}

async function openPostgresql(): Promise<ExampleDatabase> {
  const server = await openPostgres();
  const { host, port, database, user, password } = server;
  return {
    account: {
      provider: "postgresql",
      host,
      port,
      scope: database,
      identifier: user,
      token: password,
      properties: { ssl: "disable" },
    },
    schema: "public",
    address: `${host}:${port}`,
    close: () => server.close(),
  };
}

async function openMysql(): Promise<ExampleDatabase> {
  const { host, port, user, password, database } = serverOf(
    "MANIFOLD_EXAMPLE_MYSQL",
    "mysql",
    3306,
  );
  const connection = await mysql.createConnection({ host, port, user, password, database });
  await connection.query("drop table if exists airports");
  await connection.query(create);
  await connection.query(`insert into airports values ${values}`);
  await connection.end();
  return accountOn("mysql", { host, port, user, password, database });
}

async function openClickhouse(): Promise<ExampleDatabase> {
  const server = serverOf("MANIFOLD_EXAMPLE_CLICKHOUSE", "http", 8123);
  const { host, port, user, password, database } = server;
  const client = createClient({
    url: `http://${host}:${port}`,
    username: user,
    password,
    database,
  });
  await client.command({ query: "drop table if exists airports" });
  await client.command({
    query:
      "create table airports (code String, city String, state String) engine = MergeTree order by code",
  });
  await client.command({ query: `insert into airports values ${values}` });
  await client.close();
  return accountOn("clickhouse", server);
}

interface Server {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

function accountOn(
  provider: string,
  { host, port, user, password, database }: Server,
): ExampleDatabase {
  const properties = { ssl: "disable" };
  return {
    account: {
      provider,
      host,
      port,
      scope: database,
      identifier: user,
      token: password,
      properties,
    },
    schema: database,
    address: `${host}:${port}`,
    close: stays,
  };
}

/**
 * Reads the address of a server from an environment variable. Warning: the example replaces the table `airports` on
 * that server.
 */
function serverOf(variable: string, scheme: string, defaultPort: number): Server {
  const given = process.env[variable];
  if (given === undefined)
    throw new Error(
      `this example needs a server: set ${variable} to ${scheme}://user:password@host:port/database`,
    );
  const { hostname: host, port, username, password, pathname } = new URL(given);
  return {
    host,
    port: port === "" ? defaultPort : Number(port),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
  };
}
