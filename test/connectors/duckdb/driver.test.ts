/**
 * This file costs more than most, because DuckDB runs in one process per source, and these tests are about several
 * sources, replaced files and damaged files.
 */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  closeSync,
  readFileSync,
  realpathSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { DuckDBInstance } from "@duckdb/node-api";
import * as assert from "uvu/assert";
import { openDriver, type DuckdbDriver } from "../../../connectors/duckdb/driver.ts";
import { PluginError, type Credentials } from "../../../plugins/protocol/index.ts";
import { ReaderEnded } from "../../../plugins/rows/index.ts";
import { eventually } from "../../support/eventually.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { openReach } from "../../support/openReach.ts";

const long = "select count(*) from range(1000000000000) t(x) where x % 7 = 3 and x * x > 5";

suite("connectors/duckdb/driver", (test) => {
  let folder: string;
  let outside: string;
  let driver: DuckdbDriver;
  const never = new AbortController().signal;
  const openHere = (timeoutMs = 60_000, folders = [folder]) =>
    openDriver({
      reach: openReach(...folders),
      timeoutMs,
      sizeBytes: 2 ** 26,
    });
  const accountOf = (host: string, properties: Record<string, string> = {}): Credentials => ({
    host,
    properties,
  });
  const rowsOf = (
    account: Credentials,
    text: string,
    values: readonly unknown[] = [],
    signal = never,
    using = driver,
  ) =>
    using.use(account, signal, async (session) => {
      const rows: unknown[] = [];
      for await (const block of session.rows({ text, values }, signal)) rows.push(...block);
      return rows;
    });
  const refusal = async (run: () => Promise<unknown>): Promise<PluginError> => {
    try {
      await run();
    } catch (failure) {
      if (!(failure instanceof PluginError)) throw failure;
      return failure;
    }
    throw new Error("nothing was refused");
  };
  const make = async (name: string, ...statements: readonly string[]): Promise<string> => {
    const path = join(folder, name);
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    for (const statement of statements) await connection.run(statement);
    connection.closeSync();
    instance.closeSync();
    return path;
  };
  const tablesOf = (host: string) =>
    driver.use(accountOf(host), never, (session) => driver.tables(session, never));

  test.before(async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), "manifold-duck-")));
    folder = join(base, "allowed");
    outside = join(base, "outside");
    for (const path of [folder, outside, join(folder, "data"), join(folder, "data/2024")])
      mkdirSync(path);
    driver = openHere();
    await make(
      "a.duckdb",
      "create table t (n integer, s varchar)",
      "insert into t values (1, 'one'), (2, null)",
      "create view v as select n from t",
      "create table kept (n integer, s integer)",
      "create table gone (x integer)",
      'create view "it\'s broken" as select x from gone',
      'create view behind as select * from "it\'s broken"',
      "create view changed as select s, n from kept",
      "create schema other",
      "create view other.whole as select n + 1 as next from main.kept",
      "drop table gone",
      "alter table kept alter s type varchar",
      `copy (select range::int as id, 'name ' || range as name from range(3000)) to '${folder}/data/p.parquet'`,
    );
    writeFileSync(join(folder, "data/people.csv"), 'name,born\nAda,1815-12-10\n"Grace, H",\n');
    writeFileSync(join(folder, 'data/2024/it\'s "odd" 😀; --.csv'), "x;y\n1;it's\n2,5;b\n");
    writeFileSync(
      join(folder, "data/2024/events.ndjson"),
      '{"at":"2024-05-01T10:00:00Z","tags":["a"],"n":1}\n{"at":null,"tags":null,"n":2.5}\n',
    );
    writeFileSync(join(folder, "data/.hidden.csv"), "x\n1\n");
    writeFileSync(join(folder, "data/notes.txt"), "no rows");
    writeFileSync(join(folder, "data/broken.parquet"), "this is no Parquet file");
    writeFileSync(join(outside, "secret.csv"), "x\n1\n");
    symlinkSync(join(outside, "secret.csv"), join(folder, "data/linked.csv"));
  });
  test.after(async () => {
    await driver?.close();
    rmSync(join(folder, ".."), { recursive: true, force: true });
  });

  test("the deadline of a call applies to a query, but not to a scan", async () => {
    const own = openHere();
    const run = (isScan: boolean) =>
      own.use(accountOf("a.duckdb"), never, async (session) => {
        if (isScan) await session.unhurried?.();
        mock.timers.tick(60_000);
        const rows: unknown[] = [];
        for await (const block of session.rows({ text: "select 1", values: [] }, never))
          rows.push(...block);
        return rows.length;
      });
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      assert.is(await run(true), 1);
      assert.is((await refusal(() => run(false))).code, "PLUGIN_TIMEOUT");
    } finally {
      mock.timers.reset();
      await own.close();
    }
  });

  test("an SQL statement binds its values and returns cells in the order of its select list", async () => {
    const hostile = "x'; drop table t; --";
    assert.equal(
      await rowsOf(accountOf("a.duckdb"), "select s, n::double, $1::varchar from t order by n", [
        hostile,
      ]),
      [
        ["one", 1, hostile],
        [null, 2, hostile],
      ],
    );
    assert.equal(
      await rowsOf(
        accountOf("a.duckdb"),
        "select n::double from t where n in (select unnest($1::double[])) and 'b' in (select unnest($2::varchar[]))",
        [
          [1, 3],
          ["a", "b"],
        ],
      ),
      [[1]],
    );
  });

  test("each data file in a folder is a dataset, and its schema is named after its subfolder", async () => {
    const tables = await tablesOf("data");
    assert.equal(
      tables.map(({ schema, name, kind, columns }) => [
        schema,
        name,
        kind,
        columns.map((column) => `${column.name} ${column.subtype ?? column.type}`).join(", "),
      ]),
      [
        ["2024", "events.ndjson", "view", "at datetime, tags hierarchy, n numeric"],
        ["2024", 'it\'s "odd" 😀; --.csv', "view", "x hierarchy, y hierarchy"],
        ["main", "broken.parquet", "view", ""],
        ["main", "p.parquet", "view", "id numeric, name hierarchy"],
        ["main", "people.csv", "view", "name hierarchy, born date"],
      ],
    );
    assert.equal(await rowsOf(accountOf("data"), 'select name from "people.csv" order by 1'), [
      ["Ada"],
      ["Grace, H"],
    ]);
    assert.equal(
      await rowsOf(accountOf("data"), `select x, y from "2024"."it's ""odd"" 😀; --.csv"`),
      [
        ["1", "it's"],
        ["2,5", "b"],
      ],
    );
    assert.equal(await rowsOf(accountOf("data"), 'select count(*)::double from "p.parquet"'), [
      [3000],
    ]);
  });

  test("a file that DuckDB cannot read is listed with the reason, and reading it fails", async () => {
    const [, , broken, ...others] = await tablesOf("data");
    assert.match(broken?.notes?.join() ?? "", /cannot read the file: .*broken\.parquet/);
    assert.not.match(broken?.notes?.join() ?? "", folder);
    assert.ok(others.every(({ notes }) => notes === undefined));
    const { message } = await refusal(() =>
      rowsOf(accountOf("data"), 'select * from "broken.parquet"'),
    );
    assert.match(message, /broken\.parquet/);
  });

  test("tables and views of a database are listed with their current columns, and broken views with the reason", async () => {
    const tables = await tablesOf("a.duckdb");
    const shown = tables.map(({ schema, name, kind, columns, notes = [] }) => [
      schema,
      `${kind} ${name}`,
      columns.map((column) => `${column.name} ${column.nativeType}`).join(", "),
      notes.join().replace(/(does not exist).*/, "$1"),
    ]);
    const reason =
      "DuckDB cannot read the view: Catalog Error: Table with name gone does not exist";
    assert.equal(shown, [
      ["main", "view behind", "", reason],
      ["main", "view changed", "s VARCHAR, n INTEGER", ""],
      ["main", "view it's broken", "", reason],
      ["main", "table kept", "n INTEGER, s VARCHAR", ""],
      ["main", "table t", "n INTEGER, s VARCHAR", ""],
      ["main", "view v", "n INTEGER", ""],
      ["other", "view whole", "next INTEGER", ""],
    ]);
    assert.equal(
      tables.map(({ rows }) => rows),
      [undefined, undefined, undefined, 0, 2, undefined, undefined],
    );
  });

  test("an account that names a single data file has one dataset", async () => {
    assert.equal(
      (await tablesOf("data/people.csv")).map(({ name }) => name),
      ["people.csv"],
    );
  });

  test("an SQL statement cannot access files or settings outside its source", async () => {
    const secret = join(outside, "secret.csv");
    const statements = [
      "select * from read_csv('/etc/passwd')",
      `select * from read_csv('${secret}')`,
      `select * from read_csv('${folder}/data/linked.csv')`,
      `select * from '${secret}'`,
      "select * from read_text('/etc/hostname')",
      "select * from glob('/etc/*')",
      "select * from read_csv('http://127.0.0.1:1/x.csv')",
      `attach '${folder}/a.duckdb' as other`,
      "attach ':memory:' as other",
      `copy (select 1) to '${folder}/data/p.parquet'`,
      `copy (select 1) to '${outside}/x.csv'`,
      `export database '${outside}/x'`,
      "install httpfs",
      "load httpfs",
      "create temp table x as select 1",
      "create secret (type s3, key_id 'x', secret 'y')",
      "set enable_external_access = true",
      "set allowed_paths = ['/etc/passwd']",
      "reset lock_configuration",
      "pragma enable_logging",
      "checkpoint",
      "select 1; select 2",
    ];
    const before = readFileSync(join(folder, "data/p.parquet"));
    for (const host of ["a.duckdb", "data"])
      for (const text of statements) {
        const { code, message } = await refusal(() => rowsOf(accountOf(host), text));
        assert.ok(["PLUGIN_INVALID", "PLUGIN_SOURCE_FAILED"].includes(code), text);
        assert.not.match(message, folder);
      }
    assert.equal(readFileSync(join(folder, "data/p.parquet")), before);
    assert.equal(readdirSync(outside), ["secret.csv"]);
    const settings = await rowsOf(
      accountOf("data"),
      "select value from duckdb_settings() where name in ('enable_external_access', 'lock_configuration', " +
        "'autoload_known_extensions', 'TimeZone') order by name",
    );
    assert.equal(settings.flat(), ["UTC", "false", "false", "true"]);
  });

  test("a file that is not allowed or not a DuckDB database is refused, and the error names the file", async () => {
    const cases: readonly (readonly [Credentials, RegExp])[] = [
      [accountOf("data/notes.txt"), /must name a DuckDB database or a \.parquet/],
      [accountOf("data/linked.csv"), /must name a readable file or folder/],
      [accountOf(join(outside, "secret.csv")), /must name a readable file or folder/],
      [accountOf("data/../a.duckdb"), /the part "\.\."/],
      [accountOf("a.duckdb", { memory: "1GB" }), /properties\.memory is not a setting/],
      [accountOf("a.duckdb", { port: "1" }), /port must be empty/],
    ];
    for (const [account, message] of cases) {
      const { code, message: text } = await refusal(() => rowsOf(account, "select 1"));
      assert.is(code, "PLUGIN_INVALID", text);
      assert.match(text, message);
    }
  });

  test.deep(
    "cancelling an SQL statement stops it in the engine and frees its connection",
    async () => {
      for (const text of [long, "select x, x::varchar from range(1000000000000) t(x)"]) {
        const controller = new AbortController();
        setTimeout(() => controller.abort(), 100);
        const failure = await refusal(() =>
          driver.use(accountOf("a.duckdb"), controller.signal, async (session) => {
            for await (const rows of session.rows({ text, values: [] }, controller.signal))
              assert.ok(rows.length <= 2048);
          }),
        );
        assert.is(failure.code, "PLUGIN_TIMEOUT");
      }
      const { user: before } = process.cpuUsage();
      await new Promise((resolve) => setTimeout(resolve, 300));
      const { user } = process.cpuUsage();
      assert.ok(user - before < 250_000, `${user - before} µs of processor time after cancelling`);
      assert.equal(await rowsOf(accountOf("a.duckdb"), "select count(*)::double from t"), [[2]]);
    },
  );

  test.deep("an SQL statement that exceeds its deadline is stopped", async () => {
    const impatient = openHere(300);
    const { code } = await refusal(() => rowsOf(accountOf("a.duckdb"), long, [], never, impatient));
    assert.is(code, "PLUGIN_TIMEOUT");
    await impatient.close();
    assert.is(impatient.pids().length, 0);
  });

  test.deep("a caller that stops reading rows early frees the connection", async () => {
    const leaveEarly = () =>
      driver.use(accountOf("a.duckdb"), never, async (session) => {
        const text = "select x::double, repeat('x', 100) from range(100000000) t(x)";
        let count = 0;
        for await (const block of session.rows({ text, values: [] }, never)) {
          count += block.length;
          if (count > 10_000) break;
        }
        const rest: unknown[] = [];
        for await (const block of session.rows({ text: "select 1::double", values: [] }, never))
          rest.push(...block);
        return rest;
      });
    // On a busy machine, a reader that does not stop in time is killed. The plugin then repeats the call.
    const rest = await eventually(
      () =>
        leaveEarly().catch((failure: Error) => {
          if (!(failure.cause instanceof ReaderEnded)) throw failure;
        }),
      "a reader stops in time",
    );
    assert.equal(rest, [[1]]);
  });

  test.deep(
    "SQL statements above the concurrency limit wait, and fail once the queue is full",
    async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          rowsOf(accountOf("a.duckdb"), "select $1::double + count(*) from t", [index]),
        ),
      );
      assert.equal(
        answers.flat(2),
        Array.from({ length: 20 }, (_, index) => index + 2),
      );
      const hurried = openHere(400);
      const failures = await Promise.all(
        Array.from({ length: 4 }, () =>
          refusal(() => rowsOf(accountOf("a.duckdb"), long, [], never, hurried)),
        ),
      );
      await hurried.close();
      assert.equal(failures.map(({ code }) => code).toSorted(), [
        "PLUGIN_BUSY",
        "PLUGIN_BUSY",
        "PLUGIN_TIMEOUT",
        "PLUGIN_TIMEOUT",
      ]);
    },
  );

  test("the engine runs further SQL statements after one has failed", async () => {
    const { code, message } = await refusal(() =>
      rowsOf(accountOf("a.duckdb"), "select gone from t"),
    );
    assert.is(code, "PLUGIN_SOURCE_FAILED");
    assert.match(message, /gone/);
    const count = driver.pids().length;
    assert.equal(await rowsOf(accountOf("a.duckdb"), "select count(*)::double from t"), [[2]]);
    assert.is(driver.pids().length, count);
  });

  test("a query reads the current content of a file that was replaced, and fails if the file was deleted", async () => {
    await make("r.duckdb", "create table t as select 1::double as n");
    assert.equal(await rowsOf(accountOf("r.duckdb"), "select n from t"), [[1]]);
    await make("next.duckdb", "create table t as select 2::double as n");
    renameSync(join(folder, "next.duckdb"), join(folder, "r.duckdb"));
    assert.equal(await rowsOf(accountOf("r.duckdb"), "select n from t"), [[2]]);
    rmSync(join(folder, "r.duckdb"));
    const { message } = await refusal(() => rowsOf(accountOf("r.duckdb"), "select n from t"));
    assert.match(message, /must name a readable file/);
  });

  test.deep(
    "a query reads the current content and columns of a data file that was replaced",
    async () => {
      const csv = join(folder, "r.csv");
      writeFileSync(csv, "a\n1\n");
      assert.equal(await rowsOf(accountOf("r.csv"), 'from (select a::double from "r.csv")'), [[1]]);
      writeFileSync(csv, "b,c\nx,y\nz,z\n");
      assert.equal(await rowsOf(accountOf("r.csv"), 'select b, c from "r.csv" order by b'), [
        ["x", "y"],
        ["z", "z"],
      ]);
    },
  );

  test("a database that another process has open for writing is refused, and the error says that the database is locked", async () => {
    // The connector reads the file in a process of its own.
    const writer = await DuckDBInstance.create(
      await make("locked.duckdb", "create table t (n integer)"),
    );
    try {
      const { code, message } = await refusal(() =>
        rowsOf(accountOf("locked.duckdb"), "select * from t"),
      );
      assert.is(code, "PLUGIN_BUSY");
      assert.match(message, /another program has the database open for writing/);
    } finally {
      writer.closeSync();
    }
  });

  test.deep("listing a single data file that DuckDB cannot read fails", async () => {
    const { code } = await refusal(() => tablesOf("data/broken.parquet"));
    assert.is(code, "PLUGIN_SOURCE_FAILED");
    const parquet = join(folder, "cut.parquet");
    writeFileSync(parquet, readFileSync(join(folder, "data/p.parquet")).subarray(0, 2000));
    assert.is((await refusal(() => tablesOf("cut.parquet"))).code, "PLUGIN_SOURCE_FAILED");
  });

  test("reading a damaged or truncated database fails and affects no other database", async () => {
    const rows =
      "create table t as select range as n, 'some text ' || range as s from range(20000)";
    const damaged = await make("damaged.duckdb", rows);
    const cut = join(folder, "cut.duckdb");
    copyFileSync(damaged, cut);
    truncateSync(cut, 40_000);
    const { size } = statSync(damaged);
    const file = openSync(damaged, "r+");
    for (let at = 12_288 + 100; at < size; at += 4096)
      writeSync(file, Buffer.alloc(64, 0xa5), 0, 64, at);
    closeSync(file);
    for (const host of rounds({
      quick: ["damaged.duckdb"],
      deep: ["damaged.duckdb", "cut.duckdb"],
    })) {
      const { code, message } = await refusal(() =>
        rowsOf(accountOf(host), "select sum(n)::double, max(s) from t"),
      );
      assert.is(code, "PLUGIN_UNREADABLE", message);
      assert.not.match(message, folder);
    }
    assert.equal(await rowsOf(accountOf("a.duckdb"), "select count(*)::double from t"), [[2]]);
  });

  test.deep(
    "closing the connector stops every engine and removes the temporary folder",
    async () => {
      const before = process.env["TMPDIR"];
      const own = join(folder, "own");
      mkdirSync(own);
      process.env["TMPDIR"] = own;
      try {
        const closing = openHere();
        await rowsOf(accountOf("a.duckdb"), "select 1", [], never, closing);
        assert.is(closing.pids().length, 1);
        assert.is(readdirSync(own).length, 1);
        await closing.close();
        assert.is(closing.pids().length, 0);
        assert.equal(readdirSync(own), []);
      } finally {
        if (before === undefined) delete process.env["TMPDIR"];
        else process.env["TMPDIR"] = before;
      }
    },
  );
});
