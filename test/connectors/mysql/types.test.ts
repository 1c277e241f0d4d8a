import * as assert from "uvu/assert";
import { readSettings } from "../../../connectors/mysql/settings.ts";
import { PluginError, rowsOfBatch, type Plugin } from "../../../plugins/protocol/index.ts";
import {
  mariadbSuite,
  openMariadbDatabase,
  type MariadbDatabase,
} from "../../support/mariadbDatabase.ts";
import { suite } from "../../support/suite.ts";
import { callOf, openDriver, openMysql, readAll, rowsOf } from "./mysqlConnector.ts";

const definitions: readonly (readonly [definition: string, ...values: readonly string[]])[] = [
  ["tiny tinyint(1)", "1", "0"],
  ["small smallint unsigned", "65535", "0"],
  ["wide bigint", "9007199254740993", "-9223372036854775808"],
  ["widest bigint unsigned", "18446744073709551615", "0"],
  ["price decimal(12,2)", "0.10", "-1234567890.99"],
  ["exact decimal(40,10)", "12345678901234567890.1234567890", "0.1000000000"],
  ["single float", "0.1", "-0"],
  ["twice double", "0.1", "-0e0"],
  ["flags bit(3)", "b'101'", "b'000'"],
  ["mask bit(64)", "18446744073709551615", "1"],
  ["born year", "2026", "0"],
  ["yes bool", "true", "false"],
  ["word varchar(10) character set latin1", "'Zoë '", "''"],
  ["padded char(5)", "'ab'", "''"],
  ["kind enum('x','','Ü')", "'Ü'", "''"],
  ["tags set('a','b')", "'a,b'", "''"],
  ["clock time(3)", "'-12:34:56.789'", "'838:59:59'"],
  ["document json", `'{"a": 1}'`, "'[]'"],
  ["bytes varbinary(20)", "x'ff00'", "'aé'"],
  ["long_text mediumtext", "'long'", "null"],
  ["id uuid", "'123e4567-e89b-12d3-a456-426655440000'", "null"],
  ["address inet6", "'::1'", "null"],
  ["wall datetime(6)", "'1969-12-31 23:59:59.999999'", "'0000-00-00'"],
  ["stamp timestamp(6) null", "'2020-01-01 00:00:00.123999'", "'0000-00-00'"],
  ["day date", "'0001-01-01'", "'2020-05-00'"],
  ["last datetime", "'9999-12-31 23:59:59'", "'0000-01-01'"],
  ["doubled int as (tiny * 2) virtual"],
  // The protocol cannot represent bytes of fixed length, large objects or geometries.
  ["raw binary(16)", "x'00'", "null"],
  ["picture blob", "x'00'", "null"],
  ["place point", "point(1, 2)", "null"],
  ["secret int invisible default 7"],
];

const expected: Readonly<Record<string, readonly unknown[]>> = {
  tiny: [1, 0],
  small: [65_535, 0],
  wide: [2 ** 53, -(2 ** 63)],
  widest: [2 ** 64, 0],
  price: [0.1, -1_234_567_890.99],
  exact: [Number("12345678901234567890.123456789"), 0.1],
  single: [Math.fround(0.1), 0],
  twice: [0.1, 0],
  flags: [5, 0],
  mask: [2 ** 64, 1],
  born: [2026, 0],
  yes: [1, 0],
  word: ["Zoë ", ""],
  padded: ["ab", ""],
  kind: ["Ü", ""],
  tags: ["a,b", ""],
  clock: ["-12:34:56.789", "838:59:59.000"],
  document: ['{"a": 1}', "[]"],
  bytes: [null, "aé"],
  long_text: ["long", null],
  id: ["123e4567-e89b-12d3-a456-426655440000", null],
  address: ["::1", null],
  wall: ["1969-12-31T23:59:59.999Z", null],
  stamp: ["2020-01-01T00:00:00.123Z", null],
  day: ["0001-01-01T00:00:00.000Z", null],
  last: ["9999-12-31T23:59:59.000Z", null],
  doubled: [2, 0],
};

mariadbSuite("connectors/mysql: types and tables", (test) => {
  let database: MariadbDatabase;
  let plugin: Plugin;
  test.before(async () => {
    database = await openMariadbDatabase();
    const columns = definitions.map(([definition]) => definition);
    await database.run(`create table every (${columns.join(", ")}) comment 'one of each'`);
    const filled = definitions.filter((each) => each.length > 1);
    const names = filled.map(([definition]) => definition.split(" ")[0]);
    for (const row of [1, 2])
      await database.run(
        `insert into every (${names.join(", ")}) values (${filled.map((each) => each[row]).join(", ")})`,
      );
    plugin = await openMysql();
  });
  test.after(async () => {
    await plugin.close?.();
    await database.close();
  });

  test("numbers are read as the nearest doubles, zero dates as null, and datetimes rounded down", async () => {
    const names = Object.keys(expected);
    const batch = await plugin.query({
      ...callOf(database),
      query: rowsOf(database, "every", names, { order: [{ column: 0, order: "desc" }] }),
    });
    const rows = rowsOfBatch(batch);
    for (const [index, name] of names.entries())
      assert.equal(
        rows.map((row) => row[index]),
        expected[name],
        name,
      );
  });

  test("invisible and unsupported columns are not listed, and long strings can be neither grouped nor sorted", async () => {
    const datasets = await plugin.datasets(callOf(database));
    const every = datasets.find(({ id }) => id === `${database.database}.every`);
    assert.equal(
      every?.columns.map(({ id }) => id),
      definitions
        .map(([definition]) => String(definition.split(" ")[0]))
        .filter((name) => name in expected),
    );
    assert.equal(every?.description, { en: "one of each" });
    const narrowed = every?.columns.filter((column) => column.narrowed).map(({ id }) => id);
    assert.equal(narrowed, ["document", "long_text"]);
    assert.is(every?.columns.find(({ id }) => id === "day")?.subtype, "date");
  });

  test("views and partitioned tables are listed as such, and tables of other databases only if the account has no scope", async () => {
    await database.run("create view seen as select tiny from every");
    await database.run("create table parted (k int) partition by hash (k) partitions 2");
    const own = await plugin.datasets(callOf(database));
    const kinds = Object.fromEntries(own.map((each) => [each.table, each.kind]));
    assert.equal(
      [kinds["every"], kinds["seen"], kinds["parted"]],
      ["table", "view", "partitioned table"],
    );
    const other = await openMariadbDatabase();
    await other.run("create table elsewhere (k int)");
    const scoped = await plugin.datasets(callOf(database));
    assert.not(scoped.some(({ table }) => table === "elsewhere"));
    const { host, port, user, password } = database;
    const all = await plugin.datasets({
      credentials: { host: `${host}:${port}`, key: user, token: password, properties: {} },
      signal: AbortSignal.timeout(60_000),
    });
    assert.ok(all.some(({ id }) => id === `${other.database}.elsewhere`));
    assert.not(all.some(({ schema }) => schema === "mysql"));
    await other.close();
  });

  test("filters on strings, integers and dates use the index of their column", async () => {
    await database.run(
      `create table indexed (t varchar(20) collate utf8mb4_general_ci, l varchar(20) character set latin1,
        b bigint, d datetime(6), key (t), key (l), key (b), key (d))`,
    );
    await database.run(
      `insert into indexed select concat('t', seq), concat('é', seq), seq, '2020-01-01' + interval seq hour
        from seq_1_to_500`,
    );
    const keyOf = async (column: string, operator: "=" | ">=", value: string | number) => {
      const statements: string[] = [];
      const driver = openDriver();
      try {
        const { compileQuery } = await import("../../../plugins/sql/index.ts");
        const { dialect } = await import("../../../connectors/mysql/dialect.ts");
        return await driver.use(callOf(database).credentials, neverAborted(), async (session) => {
          const [table] = await driver.tables(session, neverAborted(), {
            schema: database.database,
            name: "indexed",
          });
          const query = rowsOf(database, "indexed", ["t"], {
            filters: [{ column_id: column, expression: operator, value: [value] }],
          });
          const { statement } = compileQuery({ query, table: table!, dialect });
          statements.push(statement.text);
          const [plan] = await readAll(session, `explain ${statement.text}`, statement.values);
          // The column `key` of the plan names the index.
          return plan?.[5];
        });
      } finally {
        await driver.close();
      }
    };
    assert.is(await keyOf("t", "=", "T7"), "t");
    assert.is(await keyOf("l", "=", "é7"), "l");
    assert.is(await keyOf("l", "=", "日本"), "l");
    assert.is(await keyOf("b", "=", 7), "b");
    assert.is(await keyOf("d", ">=", "2020-01-21T18:00:00.000Z"), "d");
  });

  test("a string that the column's encoding cannot represent matches nothing and causes no error", async () => {
    const runQuery = async (value: readonly string[], expression: "=" | "in" | "like") => {
      const batch = await plugin.query({
        ...callOf(database),
        query: rowsOf(database, "every", ["word"], {
          filters: [{ column_id: "word", expression, value }],
        }),
      });
      return rowsOfBatch(batch).flat();
    };
    assert.equal(await runQuery(["日本"], "="), []);
    assert.equal(await runQuery(["日本", "Zoë "], "in"), ["Zoë "]);
    assert.equal(await runQuery(["Zoë"], "="), []);
    assert.equal(await runQuery(["OË"], "like"), ["Zoë "]);
  });

  test("filters with more than a thousand values are exact, up to the length that the capabilities declare", async () => {
    await database.run("create table listed (t varchar(20) collate utf8mb4_general_ci, n bigint)");
    await database.run(
      "insert into listed select concat(if(seq % 2, 't', 'T'), seq), seq from seq_1_to_1500",
    );
    const texts = Array.from({ length: 1_200 }, (_, index) => `t${index + 1}`);
    const numbers = Array.from({ length: 1_200 }, (_, index) => index + 0.5 * (index % 2));
    const countOf = async (column_id: string, value: readonly (string | number)[], times = 1) => {
      const filter = { column_id, expression: "in" as const, value };
      const query = rowsOf(database, "listed", [], {
        columns: [{ column_id: "*", aggregation: "count" }],
        filters: Array.from({ length: times }, () => filter),
        options: { pushdown: true },
      });
      return rowsOfBatch(await plugin.query({ ...callOf(database), query }))[0]?.[0];
    };
    assert.is(await countOf("t", texts), 600);
    assert.is(await countOf("n", numbers), 599);
    const failure = await countOf("t", texts, 30).catch((thrown: unknown) => thrown);
    assert.is((failure as PluginError).code, "PLUGIN_NOT_OFFERED");
  });

  test("strings longer than the server's usual sort key are sorted by their full length", async () => {
    await database.run("create table long_texts (k int, t text)");
    for (const [k, last] of [
      [1, "b"],
      [2, "a"],
      [3, "c"],
    ])
      await database.run("insert into long_texts values (?, ?)", [k, "x".repeat(60_000) + last]);
    const batch = await plugin.query({
      ...callOf(database),
      query: rowsOf(database, "long_texts", ["k", "t"], { order: [{ column: 1, order: "asc" }] }),
    });
    assert.equal(
      rowsOfBatch(batch).map(([k]) => k),
      [2, 1, 3],
    );
  });

  test("sorting by more long strings than fit into the sort buffer is not pushed down", async () => {
    const names = ["a", "b", "c", "d"];
    await database.run(
      `create table many_texts (${names.map((name) => `${name} text`).join(", ")})`,
    );
    await database.run("insert into many_texts select seq, seq, seq, seq from seq_1_to_50");
    const runQuery = (count: number) => {
      const order = names.slice(0, count).map((_, column) => ({ column, order: "asc" as const }));
      return plugin.query({
        ...callOf(database),
        query: rowsOf(database, "many_texts", names, { order }),
      });
    };
    assert.is((await runQuery(2)).rowCount, 50);
    const failure = await runQuery(4).catch((thrown: unknown) => thrown);
    assert.is((failure as PluginError).code, "PLUGIN_NOT_OFFERED");
  });

  test("a MySQL session is read-only and uses UTC", async () => {
    const driver = openDriver();
    try {
      await driver.use(callOf(database).credentials, neverAborted(), async (session) => {
        assert.equal(await readAll(session, "select @@time_zone, @@tx_read_only"), [
          ["+00:00", "1"],
        ]);
        let failure: unknown;
        await readAll(session, "delete from every").catch((thrown: unknown) => {
          failure = thrown;
        });
        assert.match(String(failure), "READ ONLY transaction");
      });
      assert.equal(await database.run("select count(*) from every"), [["2"]]);
    } finally {
      await driver.close();
    }
  });

  test("checking a session of the MySQL test server withdraws no capability", async () => {
    const { capabilities, demoted } = await plugin.capabilitiesOf!(callOf(database));
    assert.equal(demoted, []);
    assert.equal(capabilities, plugin.capabilities);
  });

  test("an SQL statement is described without being run", async () => {
    const driver = openDriver();
    try {
      const columns = await driver.use(callOf(database).credentials, neverAborted(), (session) =>
        driver.describe!(
          session,
          "select wide, price, sum(exact) as total, word, wall, day, picture, sleep(60) as z from every",
          AbortSignal.timeout(60_000),
          [],
        ),
      );
      assert.equal(
        columns.map(({ name, type }) => [name, type]),
        [
          ["wide", "numeric"],
          ["price", "numeric"],
          ["total", "numeric"],
          ["word", "hierarchy"],
          ["wall", "datetime"],
          ["day", "datetime"],
          ["z", "numeric"],
        ],
      );
    } finally {
      await driver.close();
    }
  });
});

suite("connectors/mysql/settings", (test) => {
  const read = (host: string | undefined, properties: Record<string, string> = {}, key = "u") =>
    readSettings({ ...(host !== undefined && { host }), key, token: "p", properties });

  test("the host of a MySQL account can be a name, a name with a port, or a URL with a port and a database", () => {
    const parts = (...given: Parameters<typeof read>) => {
      const { host, port, database } = read(...given);
      return [host, port, database];
    };
    assert.equal(parts("db.test"), ["db.test", 3306, undefined]);
    assert.equal(parts("db.test:3307"), ["db.test", 3307, undefined]);
    assert.equal(parts("https://db.test:3307/sales"), ["db.test", 3307, "sales"]);
    assert.equal(parts("mysql://[::1]/a%20b"), ["::1", 3306, "a b"]);
    assert.equal(parts("https://db.test:1/a", { port: "2", scope: "b" }), ["db.test", 2, "b"]);
  });

  test("an invalid account is refused with an error that names the member but no password", () => {
    const wrong: readonly (readonly [RegExp, ...Parameters<typeof read>])[] = [
      [/host is required/, undefined],
      [/host must be a server name/, "ftp://db.test"],
      [/host must be a server name/, "a b"],
      [/identifier and token/, "mysql://u:hidden@db.test"],
      [/host must end with the database/, "mysql://db.test/a?ssl=1"],
      [/at most one database/, "mysql://db.test/a/b"],
      [/port must be a whole number from 1 to 65535, not "0"/, "db.test", { port: "0" }],
      [/port must be/, "db.test", { port: "1e3" }],
      [
        /ssl must be one of disable, prefer, require, verify-ca, verify-full/,
        "db.test",
        { ssl: "on" },
      ],
      [/host must be a server name, not an IP address/, "127.0.0.1", { ssl: "verify-full" }],
      [/identifier is required/, "db.test", {}, ""],
    ];
    for (const [pattern, ...given] of wrong)
      assert.throws(
        () => read(...given),
        (failure: unknown) =>
          failure instanceof PluginError &&
          failure.code === "PLUGIN_INVALID" &&
          pattern.test(failure.message) &&
          !failure.message.includes("hidden"),
      );
  });
});

function neverAborted(): AbortSignal {
  return new AbortController().signal;
}
