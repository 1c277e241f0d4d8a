import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PGlite } from "@electric-sql/pglite";
import { openEgress } from "../../../core/sources/connections/egress.ts";
import { overHttp } from "../../../core/sources/connections/overHttp/index.ts";
import minimalPlugin from "../../../examples/minimal-plugin/plugin.ts";
import { createPglitePlugin } from "../../../examples/sql-connector/pgliteConnector.ts";
import type { Connector, Credentials, Plugin } from "../../../plugins/protocol/index.ts";
import { serve } from "../../../plugins/sdk/index.ts";
import type { WireTarget } from "../../../plugins/conformance/index.ts";
import { credentialsOf } from "../../connectors/mysql/mysqlConnector.ts";
import {
  credentialsOf as firebirdCredentialsOf,
  openFirebird,
} from "../../examples/firebird/openFirebird.ts";
import { needsClickhouse, openClickhouseDatabase } from "../../support/clickhouseDatabase.ts";
import { needsFirebird, openFirebirdDatabase } from "../../support/firebirdDatabase.ts";
import { needsMariadb, openMariadbDatabase } from "../../support/mariadbDatabase.ts";
import { openReach } from "../../support/openReach.ts";
import { openPostgresDatabase } from "../../support/postgresDatabase.ts";
import { openPythonPlugin } from "../../support/pythonPlugin.ts";

/** A plugin of the list, with a source of rows that the kit can check. */
export interface Registered {
  readonly plugin: Plugin;
  readonly credentials: Credentials;
  /** Present if the plugin listens on HTTP. */
  readonly wire?: WireTarget;
  close(): Promise<void>;
}

const secret = "the-secret-of-the-list";
const none: Credentials = { properties: {} };

/**
 * Rows with the values that plugins often get wrong: nulls, case, accents, blanks, wildcards and the ends of months.
 */
const rows = [
  ["Ghent", 3.5, "2024-01-05 08:30:00"],
  ["ghent", -2, "2024-03-31 01:30:00"],
  ["Mons", 5, "2024-02-01 12:00:00"],
  ["Mons ", 0, null],
  ["50%", 7.25, "2023-12-31 23:59:59"],
  ["505", 1, "2024-02-29 00:00:00"],
  ["Émile", 4, "1969-07-20 20:17:40"],
  ["émile", 2, "2024-01-01 00:00:00"],
  ["CAFÉ", 8, "2024-10-27 02:30:00"],
  ["café", 6, "2024-06-30 12:00:00"],
  [null, null, "2024-12-30 00:00:00"],
  ["", 12.33, null],
  ["Lille", null, "2024-07-07 07:07:07"],
  ["Ghent", 3.5, "2024-01-06 00:00:00"],
] as const;
const columns = ["city", "km", "started"] as const;

const textOf = (value: string | number | null, instant: string): string =>
  value === null
    ? "null"
    : typeof value === "number"
      ? String(value)
      : /^\d{4}-\d\d-\d\d /.test(value)
        ? instant.replace("?", `'${value}'`)
        : `'${value}'`;

/** Returns the statement that inserts the rows. `instant` is SQL for a datetime, in which `?` stands for the string. */
const insert = (table: string, instant = "?"): string =>
  `insert into ${table} values ${rows.map((row) => `(${row.map((each) => textOf(each, instant)).join(", ")})`).join(", ")}`;

async function openConnector(
  folder: string,
  credentials: Credentials,
  close: () => Promise<unknown>,
  ...folders: readonly string[]
): Promise<Registered> {
  const url = new URL(`../../../connectors/${folder}/index.ts`, import.meta.url);
  const { open } = (await import(url.href)) as Connector;
  const plugin = await open({
    reach: openReach(...folders),
    timeoutMs: 30_000,
    sizeBytes: 2 ** 28,
  });
  return {
    plugin,
    credentials,
    async close() {
      await plugin.close?.();
      await close();
    },
  };
}

function openFolder(): { readonly folder: string; readonly remove: () => Promise<void> } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-list-")));
  return { folder, remove: async () => rmSync(folder, { recursive: true, force: true }) };
}

const jsonRows = rows.map((row) =>
  Object.fromEntries(row.map((value, index) => [columns[index]!, value])),
);

/** Opens each plugin of the list that is in this repository, by slug. */
export const openRegistered: Readonly<Record<string, () => Promise<Registered>>> = {
  async postgresql() {
    const database = await openPostgresDatabase();
    await database.run(
      `create table trips (city text, km float8, started timestamp); ${insert("trips")}`,
    );
    return openConnector("postgres", database.credentials, database.close);
  },
  async mysql() {
    const database = await openMariadbDatabase();
    await database.run("create table trips (city varchar(40), km double, started datetime)");
    await database.run(insert("trips"));
    return openConnector("mysql", credentialsOf(database), database.close);
  },
  async clickhouse() {
    const database = await openClickhouseDatabase();
    const { host, port, admin } = database;
    await database.run(
      "create table trips (city Nullable(String), km Nullable(Float64), started Nullable(DateTime64(3, 'UTC'))) engine = MergeTree order by tuple()",
    );
    await database.run(insert("trips"));
    const credentials = {
      host,
      key: admin.name,
      token: admin.password,
      properties: { port: String(port), scope: database.database, ssl: "disable" },
    };
    return openConnector("clickhouse", credentials, database.close);
  },
  async sqlite() {
    const { folder, remove } = openFolder();
    const host = join(folder, "trips.sqlite");
    const database = new DatabaseSync(host);
    database.exec(`create table trips (city text, km real, started datetime); ${insert("trips")}`);
    database.close();
    return openConnector("sqlite", { host, properties: {} }, remove, folder);
  },
  async duckdb() {
    const { folder, remove } = openFolder();
    const { DuckDBInstance } = await import("@duckdb/node-api");
    const host = join(folder, "trips.duckdb");
    const instance = await DuckDBInstance.create(host);
    const connection = await instance.connect();
    await connection.run("create table trips (city varchar, km double, started timestamp)");
    await connection.run(insert("trips"));
    connection.closeSync();
    instance.closeSync();
    return openConnector("duckdb", { host, properties: {} }, remove, folder);
  },
  async files() {
    const { folder, remove } = openFolder();
    writeFileSync(join(folder, "trips.json"), JSON.stringify(jsonRows));
    return openConnector("files", { host: folder, properties: {} }, remove, folder);
  },
  async rest() {
    const { folder, remove } = openFolder();
    const server = createServer((_, response) => {
      response.setHeader("content-type", "application/json").end(JSON.stringify(jsonRows));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const api = join(folder, "api.json");
    const described = { city: "text", km: "number", started: "datetime" };
    writeFileSync(
      api,
      JSON.stringify({ datasets: { trips: { path: "/trips", columns: described } } }),
    );
    const { port } = server.address() as AddressInfo;
    const close = async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await remove();
    };
    const credentials = { host: `http://127.0.0.1:${port}`, properties: { api } };
    return openConnector("rest", credentials, close, folder);
  },
  async "minimal-plugin"() {
    const { url, close } = await serve(minimalPlugin, { secret, onError: () => {} });
    const wire = { url, secret, protocolVersion: "manifold-1" } as const;
    return { plugin: minimalPlugin, credentials: none, wire, close };
  },
  async "python-plugin"() {
    const { url, close } = await openPythonPlugin(secret);
    const egress = openEgress({ allow: ["127.0.0.1"], timeoutMs: 30_000, sizeBytes: 2 ** 24 });
    const wire = { url, secret, protocolVersion: "manifold-1" } as const;
    const plugin = await overHttp(
      { slug: "python", baseUrl: url, pushdown: false, supportsDistinctcount: false, ...wire },
      egress,
    );
    return {
      plugin,
      credentials: none,
      wire,
      async close() {
        egress.close();
        await close();
      },
    };
  },
  async pglite() {
    const database = await PGlite.create("memory://");
    await database.exec(
      `create table trips (city text, km float8, started timestamp); ${insert("trips")}`,
    );
    const plugin = createPglitePlugin(database);
    return { plugin, credentials: none, close: () => database.close() };
  },
  async firebird() {
    const database = await openFirebirdDatabase();
    await database.run(
      "create table trips (city varchar(40) character set utf8, km double precision, started timestamp)",
    );
    for (const row of rows)
      await database.run(
        `insert into trips values (${row.map((each) => textOf(each, "timestamp ?")).join(", ")})`,
      );
    const plugin = await openFirebird();
    return {
      plugin,
      credentials: firebirdCredentialsOf(database),
      async close() {
        await plugin.close?.();
        await database.close();
      },
    };
  },
};

/**
 * By slug of a plugin of the list, the program that it needs and that this machine lacks. Plugins without an entry run
 * on this machine.
 */
export const missingPrograms: Readonly<Record<string, string | undefined>> = {
  mysql: needsMariadb.missing,
  clickhouse: needsClickhouse.missing,
  firebird: needsFirebird.missing,
};
