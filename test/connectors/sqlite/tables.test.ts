import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as assert from "uvu/assert";
import { openDriver, type SqliteDriver } from "../../../connectors/sqlite/driver.ts";
import type { SqlTable } from "../../../plugins/sql/index.ts";
import { suite } from "../../support/suite.ts";
import { openReach } from "../../support/openReach.ts";

suite("connectors/sqlite/tables", (test) => {
  let folder: string;
  let driver: SqliteDriver;
  const { signal } = new AbortController();
  const tablesOf = (
    script: string,
    properties: Record<string, string> = {},
    only?: string,
  ): Promise<readonly SqlTable[]> => {
    const path = join(folder, "t.sqlite");
    rmSync(path, { force: true });
    const database = new DatabaseSync(path);
    database.exec(script);
    database.close();
    return driver.use(
      { host: path, properties },
      signal,
      (session) =>
        driver.tables(
          session,
          signal,
          only === undefined ? undefined : { schema: "main", name: only },
        ),
      // Accounts of one organization share a reader process.
      { organization: "one", user: "ada" },
    );
  };
  const typesOf = (tables: readonly SqlTable[], name = "t") =>
    Object.fromEntries(
      (tables.find((table) => table.name === name)?.columns ?? []).map((column) => [
        column.name,
        column.subtype ?? column.type,
      ]),
    );

  test.before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-sqlite-")));
    driver = openDriver({
      reach: openReach(folder),
      timeoutMs: 60_000,
      sizeBytes: 2 ** 26,
    });
  });
  test.after(async () => {
    await driver?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("all tables and views except SQLite's own are listed with their columns", async () => {
    const tables = await tablesOf(
      'create table t (id integer primary key autoincrement, "a ""quoted"" . 😀" text, g as (id * 2)); ' +
        "create view v as select id from t; create virtual table f using fts5(body); create virtual table r using rtree(id, low, high); " +
        "create view broken as select * from gone; create index i on t (id); insert into t (id) values (7)",
    );
    assert.equal(
      tables.map(({ schema, name, kind }) => [schema, name, kind]),
      [
        ["main", "broken", "view"],
        ["main", "f", "table"],
        ["main", "r", "table"],
        ["main", "t", "table"],
        ["main", "v", "view"],
      ],
    );
    assert.equal(
      tables[3]?.columns.map(({ name }) => name),
      ["id", 'a "quoted" . 😀', "g"],
    );
    assert.equal(tables[0]?.columns, []);
    assert.match(tables[0]?.notes?.[0] ?? "", /cannot read the view: .*no such table: main\.gone/);
    const [only, ...others] = await tablesOf("create table a (n); create table b (n)", {}, "b");
    assert.is(only?.name, "b");
    assert.is(others.length, 0);
  });

  test("a column's declared type determines its type", async () => {
    const declared =
      "a int, b bigint unsigned, c real, d double precision, e float, f numeric, g decimal(10, 2), h boolean, " +
      "i text, j varchar(20), k nchar(5), l clob, m string, n uuid, o json, p blob, q time, " +
      "r datetime, s timestamp, t date, u 'timestamp with time zone', v money, w year";
    assert.equal(typesOf(await tablesOf(`create table t (${declared})`)), {
      ...Object.fromEntries([..."abcdefghvw"].map((name) => [name, "numeric"])),
      ...Object.fromEntries([..."ijklmnopq"].map((name) => [name, "hierarchy"])),
      ...Object.fromEntries([..."rsu"].map((name) => [name, "datetime"])),
      t: "date",
    });
  });

  test("a column without a declared type has the type that all its sampled values share", async () => {
    const tables = await tablesOf(
      "create table t (n, s, mixed, blobs, instants, days, empty); " +
        "insert into t values (1, 'a', 1, x'00', '2024-05-01T10:00:00Z', '2024-05-01', null), " +
        "(1.5, 'b', 'a', null, '2024-05-01', '1969-12-31', null); " +
        "create view v as select n + 1 as plus, s || 'x' as joined, date(instants) as day, count(*) as rows from t",
    );
    assert.equal(typesOf(tables), {
      n: "numeric",
      s: "hierarchy",
      mixed: "hierarchy",
      blobs: "hierarchy",
      instants: "datetime",
      days: "date",
      empty: "hierarchy",
    });
    assert.equal(typesOf(tables, "v"), {
      plus: "numeric",
      joined: "hierarchy",
      day: "date",
      rows: "numeric",
    });
  });

  test("a datetime column that contains only numbers is numeric unless the account sets what the numbers mean", async () => {
    const script =
      "create table t (at datetime, day date); insert into t values (1714557600, 2460431.5)";
    assert.equal(typesOf(await tablesOf(script)), { at: "numeric", day: "numeric" });
    assert.equal(typesOf(await tablesOf(script, { datetimes: "seconds" })), {
      at: "datetime",
      day: "date",
    });
  });

  test("sorting strings of a UTF-16 database is not pushed down", async () => {
    const [table] = await tablesOf("pragma encoding = 'UTF-16le'; create table t (s text, n int)");
    assert.equal(
      table?.columns.map(({ narrowed }) => narrowed?.order),
      [false, undefined],
    );
    assert.match(table?.columns[0]?.narrowed?.reason ?? "", /UTF-16le/);
  });

  test.deep("a table with 1,600 columns can be described", async () => {
    const names = Array.from({ length: 1600 }, (_, index) => `c${index}`);
    const [table] = await tablesOf(`create table t (${names.join(", ")})`);
    assert.is(table?.columns.length, 1600);
  });

  test("an SQL statement is described without reading its rows", async () => {
    await tablesOf("create table t (n int, s text); insert into t values (1, 'a')");
    const columns = await driver.use(
      { host: join(folder, "t.sqlite"), properties: {} },
      signal,
      (session) => driver.describe!(session, "select n, s, n * 2 as twice from t", signal, []),
    );
    assert.equal(
      columns.map(({ name, type }) => [name, type]),
      [
        ["n", "numeric"],
        ["s", "hierarchy"],
        ["twice", "numeric"],
      ],
    );
  });
});
