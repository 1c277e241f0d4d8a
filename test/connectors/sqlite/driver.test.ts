import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  openSync,
  closeSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { realpathSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { DatabaseSync } from "node:sqlite";
import * as assert from "uvu/assert";
import { openDriver, type SqliteDriver } from "../../../connectors/sqlite/driver.ts";
import { PluginError, type Credentials } from "../../../plugins/protocol/index.ts";
import { eventually } from "../../support/eventually.ts";
import { rounds } from "../../support/layer.ts";
import { openReach } from "../../support/openReach.ts";
import { suite } from "../../support/suite.ts";

const long =
  "with recursive c(n) as (select 1 union all select n + 1 from c where n < 1e15) select count(*) from c";

const endlessRows =
  "with recursive c(n) as (select 1 union all select n + 1 from c) select n from c";

/**
 * A statement that returns more rows than fit into a block and then blocks its process. Only killing the process stops
 * it.
 */
const stuck =
  "select n from (with recursive c(n) as (select 1 union all select n + 1 from c limit 50000) select n from c) " +
  `union all select * from (${long})`;

suite("connectors/sqlite/driver", (test) => {
  let folder: string;
  let outside: string;
  let driver: SqliteDriver;
  const never = new AbortController().signal;
  const accountOf = (host: string, properties: Record<string, string> = {}): Credentials => ({
    host,
    properties,
  });
  /** Accounts of one organization share the organization's reader processes. */
  const tenant = { organization: "one", user: "ada" };
  const rowsOf = (
    account: Credentials,
    text: string,
    values: readonly unknown[] = [],
    signal = never,
    using = driver,
  ) =>
    using.use(
      account,
      signal,
      async (session) => {
        const rows: unknown[] = [];
        for await (const block of session.rows({ text, values }, signal)) rows.push(...block);
        return rows;
      },
      tenant,
    );
  const refusal = async (run: () => Promise<unknown>): Promise<PluginError> => {
    try {
      await run();
    } catch (failure) {
      if (!(failure instanceof PluginError)) throw failure;
      return failure;
    }
    throw new Error("nothing was refused");
  };
  const make = (name: string, script: string): string => {
    const path = join(folder, name);
    const database = new DatabaseSync(path);
    database.exec(script);
    database.close();
    return path;
  };
  /** Returns whether a process exists. A killed child exists until its parent has waited for it. */
  const exists = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  test.before(() => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), "manifold-sqlite-")));
    folder = join(base, "allowed");
    outside = join(base, "outside");
    mkdirSync(folder);
    mkdirSync(outside);
    mkdirSync(join(folder, "sub"));
    driver = openDriver({
      reach: openReach(folder),
      timeoutMs: 60_000,
      sizeBytes: 2 ** 26,
    });
    make(
      "a.sqlite",
      "create table t (n integer, s text); insert into t values (1, 'one'), (2, null);" +
        "create table big (n integer, s text); insert into big with recursive c(n) as " +
        "(select 1 union all select n + 1 from c limit 60000) select n, 'text number ' || n from c",
    );
  });
  test.after(async () => {
    await driver?.close();
    rmSync(join(folder, ".."), { recursive: true, force: true });
  });

  test("the deadline of a call applies to a query, but not to a scan", async () => {
    const own = openDriver({ reach: openReach(folder), timeoutMs: 60_000, sizeBytes: 2 ** 26 });
    const run = (isScan: boolean) =>
      own.use(accountOf("a.sqlite"), never, async (session) => {
        if (isScan) await session.unhurried?.();
        mock.timers.tick(60_000);
        const rows: unknown[] = [];
        for await (const block of session.rows({ text: "select n from t", values: [] }, never))
          rows.push(...block);
        return rows.length;
      });
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      assert.is(await run(true), 2);
      assert.is((await refusal(() => run(false))).code, "PLUGIN_TIMEOUT");
    } finally {
      mock.timers.reset();
      await own.close();
    }
  });

  test("an SQL statement binds its values and returns cells in the order of its select list", async () => {
    const rows = await rowsOf(
      accountOf("a.sqlite"),
      "select s, n from t where n < ? order by n",
      [5],
    );
    assert.equal(rows, [
      ["one", 1],
      [null, 2],
    ]);
    const hostile = "x'; drop table t; --";
    assert.equal(await rowsOf(accountOf("a.sqlite"), "select ?", [hostile]), [[hostile]]);
  });

  test("a file can be named by a relative path, an absolute path or a URL", async () => {
    const path = join(folder, "a.sqlite");
    for (const host of ["a.sqlite", path, `file://${path}`])
      assert.equal(await rowsOf(accountOf(host), "select count(*) from t"), [[2]]);
  });

  test("a file outside the allowed folders causes the same error as a missing file, even through symbolic links", async () => {
    const secret = join(outside, "secret.sqlite");
    renameSync(make("secret.sqlite", "create table t (n)"), secret);
    symlinkSync(secret, join(folder, "link.sqlite"));
    symlinkSync(outside, join(folder, "linked"));
    const messages = await Promise.all(
      [secret, "link.sqlite", "linked/secret.sqlite", "none.sqlite", "/etc/passwd"].map(
        async (host) => (await refusal(() => rowsOf(accountOf(host), "select 1"))).message,
      ),
    );
    assert.is(new Set(messages).size, 1);
    assert.match(messages[0]!, /^the request cannot be carried out: host must name a readable/);
    assert.not.match(messages[0]!, folder);
    symlinkSync(join(folder, "a.sqlite"), join(folder, "sub/inside.sqlite"));
    assert.equal(await rowsOf(accountOf("sub/inside.sqlite"), "select count(*) from t"), [[2]]);
  });

  test("a file that is not an SQLite database is refused, and the error names the file", async () => {
    const socket = createServer().listen(join(folder, "socket"));
    await once(socket, "listening");
    writeFileSync(join(folder, "text.csv"), "a,b\n".repeat(500));
    const cases: readonly (readonly [Credentials, RegExp])[] = [
      [accountOf("sub/../a.sqlite"), /host must not contain the part "\.\."/],
      [accountOf("a\0.sqlite"), /NUL/],
      [accountOf(""), /host must name a file/],
      [accountOf("file://server/a.sqlite"), /must be a file: URL/],
      [accountOf("sub"), /database file, not a folder/],
      [accountOf("socket"), /not a device, pipe or socket/],
      [accountOf("text.csv"), /not an SQLite database/],
      [accountOf("a.sqlite", { colour: "red" }), /properties\.colour is not a setting/],
      [accountOf("a.sqlite", { datetimes: "weeks" }), /properties\.datetimes must be one of/],
      [accountOf("a.sqlite", { port: "5432" }), /port must be empty/],
    ];
    for (const [account, message] of cases) {
      const { code, message: text } = await refusal(() => rowsOf(account, "select * from t"));
      assert.is(code, "PLUGIN_INVALID", text);
      assert.match(text, message);
    }
    socket.close();
    const nowhere = openDriver({
      reach: openReach(),
      timeoutMs: 1000,
      sizeBytes: 1000,
    });
    const { message } = await refusal(() =>
      rowsOf(accountOf("a.sqlite"), "select 1", [], never, nowhere),
    );
    assert.match(message, /the operator has not allowed any folder/);
    await nowhere.close();
  });

  test("an SQL statement can read only its account's database", async () => {
    for (const text of [
      `attach '${join(outside, "secret.sqlite")}' as other`,
      `vacuum into '${join(folder, "copy.sqlite")}'`,
      "insert into t values (3, 'three')",
      "create temp table x (n)",
      "pragma writable_schema = on",
      "select load_extension('x')",
      "select * from pragma_database_list",
      "delete from t",
    ]) {
      const { code, message } = await refusal(() => rowsOf(accountOf("a.sqlite"), text));
      assert.ok(code === "PLUGIN_INVALID" || /not authorized/.test(message), `${text}: ${message}`);
    }
    assert.equal(await rowsOf(accountOf("a.sqlite"), "select count(*) from t"), [[2]]);
  });

  /** Runs a statement. `started` resolves when the first rows arrive. */
  const start = (text: string, signal = never, using = driver) => {
    const { promise: started, resolve } = Promise.withResolvers<void>();
    const running = refusal(() =>
      using.use(
        accountOf("a.sqlite"),
        signal,
        async (session) => {
          for await (const _ of session.rows({ text, values: [] }, signal)) resolve();
        },
        tenant,
      ),
    );
    // A statement that is refused does not start.
    void running.then(() => resolve());
    return { started, running };
  };

  test("the reader process of a cancelled SQL statement can run another statement", async () => {
    // An account has at most four readers, so the fifth statement would wait for a free one.
    const [first, ...others] = [endlessRows, endlessRows, endlessRows, endlessRows, stuck] as const;
    for (const text of rounds({ quick: [first], deep: [first, ...others] })) {
      const controller = new AbortController();
      const { started, running } = start(text, controller.signal);
      await started;
      controller.abort();
      assert.is((await running).code, "PLUGIN_TIMEOUT");
      // The reader that was used most recently is reused first.
      assert.equal(await rowsOf(accountOf("a.sqlite"), "select count(*) from t"), [[2]]);
    }
  });

  test.deep(
    "an SQL statement stops at its deadline, even while it waits for a reader process",
    async () => {
      const impatient = openDriver({
        reach: openReach(folder),
        timeoutMs: 400,
        sizeBytes: 2 ** 20,
      });
      const failures = await Promise.all(
        Array.from({ length: 20 }, () =>
          refusal(() => rowsOf(accountOf("a.sqlite"), long, [], never, impatient)),
        ),
      );
      // Running statements stop some time after the deadline, but statements that wait for a process give up earlier.
      const codes = new Set(failures.map(({ code }) => code));
      assert.equal([...codes].toSorted(), ["PLUGIN_BUSY", "PLUGIN_TIMEOUT"]);
      assert.match(failures.map(({ message }) => message).join(), /exceeded its time limit/);
      // If a process stopped in time, the next statement uses it.
      await impatient.close();
      assert.equal(impatient.pids(), []);
    },
  );

  test("a reader process pauses while its caller is behind, and is free once the caller stops reading", async () => {
    const account = accountOf("a.sqlite");
    const leaveEarly = () =>
      driver.use(account, never, async (session) => {
        let blocks = 0;
        for await (const block of session.rows({ text: "select * from big", values: [] }, never)) {
          assert.ok(block.length > 0 && block.length < 20_000);
          if (++blocks === 2) break;
        }
        const rest: unknown[] = [];
        const count = { text: "select count(*) from big", values: [] };
        for await (const block of session.rows(count, never)) rest.push(...block);
        return rest;
      });
    // On a busy machine, a reader that does not stop in time is killed. The test then repeats the call, as the plugin
    // does.
    const rest = await eventually(
      () =>
        leaveEarly().catch((failure: Error) => {
          if (driver.isLost?.(failure.cause) !== true) throw failure;
        }),
      "a reader stops in time",
    );
    assert.equal(rest, [[60_000]]);
    assert.is((await rowsOf(account, "select * from big")).length, 60_000);
  });

  test("SQL statements wait until a reader process is free, and all of them complete", async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        rowsOf(accountOf("a.sqlite"), "select ? + count(*) from t", [index]),
      ),
    );
    assert.equal(
      answers,
      Array.from({ length: 12 }, (_, index) => [[index + 2]]),
    );
    assert.ok(driver.pids().length <= 8);
  });

  test("a query reads the current content of a file that was replaced, and fails if the file was deleted", async () => {
    make("replaced.sqlite", "create table t (n); insert into t values (1)");
    const account = accountOf("replaced.sqlite");
    assert.equal(await rowsOf(account, "select * from t"), [[1]]);
    make("next.sqlite", "create table t (n); insert into t values (2)");
    renameSync(join(folder, "next.sqlite"), join(folder, "replaced.sqlite"));
    assert.equal(await rowsOf(account, "select * from t"), [[2]]);
    rmSync(join(folder, "replaced.sqlite"));
    assert.match(
      (await refusal(() => rowsOf(account, "select * from t"))).message,
      /must name a readable file/,
    );
  });

  test("a writer blocks readers only if the database does not use WAL mode, and the error then says that the database is locked", async () => {
    const writer = new DatabaseSync(join(folder, "wal.sqlite"));
    writer.exec("pragma journal_mode = wal; create table t (n); insert into t values (1)");
    writer.exec("begin immediate; insert into t values (2)");
    const account = accountOf("wal.sqlite");
    assert.equal(await rowsOf(account, "select n from t"), [[1]]);
    writer.exec("commit");
    assert.equal(await rowsOf(account, "select n from t order by n"), [[1], [2]]);
    writer.close();
    const locking = new DatabaseSync(make("locked.sqlite", "create table t (n)"));
    locking.exec("begin exclusive");
    const hurried = openDriver({
      reach: openReach(folder),
      // The maximum wait for the lock is a quarter of the deadline. The rest gives a slow machine time to start the
      // process.
      timeoutMs: 16_000,
      sizeBytes: 2 ** 20,
    });
    const { code, message } = await refusal(() =>
      rowsOf(accountOf("locked.sqlite"), "select * from t", [], never, hurried),
    );
    await hurried.close();
    assert.is(code, "PLUGIN_BUSY");
    assert.match(message, /another program has locked/);
    locking.close();
  });

  test("reading a damaged or truncated file fails, and the error says that the file is damaged", async () => {
    const damaged = make(
      "damaged.sqlite",
      "create table t (n integer, s text); insert into t with recursive c(n) as " +
        "(select 1 union all select n + 1 from c limit 20000) select n, 'some text ' || n from c",
    );
    const { size } = statSync(damaged);
    const file = openSync(damaged, "r+");
    for (let at = 8192; at < size; at += 4096) writeSync(file, Buffer.alloc(200, 0xa5), 0, 200, at);
    closeSync(file);
    const first = await refusal(() => rowsOf(accountOf("damaged.sqlite"), "select sum(n) from t"));
    assert.is(first.code, "PLUGIN_UNREADABLE");
    assert.match(first.message, /the database file is damaged/);
    const cut = make(
      "cut.sqlite",
      "create table t (s text); insert into t with recursive c(n) as " +
        "(select 1 union all select n + 1 from c limit 20000) select 'some text ' || n from c",
    );
    truncateSync(cut, 12_288);
    const second = await refusal(() => rowsOf(accountOf("cut.sqlite"), "select count(s) from t"));
    assert.match(second.message, /damaged|cut/);
    assert.equal(await rowsOf(accountOf("a.sqlite"), "select count(*) from t"), [[2]]);
  });

  test.deep(
    "if a reader process is killed, its SQL statement fails and the next statement gets a new process",
    async () => {
      const { started, running } = start(stuck);
      await started;
      const pids = driver.pids();
      for (const pid of pids) process.kill(pid, "SIGKILL");
      await eventually(() => !pids.some(exists), "the killed processes are gone");
      const { code, message } = await running;
      assert.is(code, "PLUGIN_UNREADABLE");
      assert.match(message, /the process that reads it ended unexpectedly/);
      assert.equal(await rowsOf(accountOf("a.sqlite"), "select count(*) from t"), [[2]]);
    },
  );

  test.deep("closing the connector stops every reader process", async () => {
    const closing = openDriver({
      reach: openReach(folder),
      timeoutMs: 60_000,
      sizeBytes: 2 ** 20,
    });
    const { started, running } = start(stuck, never, closing);
    await started;
    await rowsOf(accountOf("a.sqlite"), "select 1", [], never, closing);
    const pids = closing.pids();
    assert.is(pids.length, 2);
    await closing.close();
    assert.is((await running).code, "PLUGIN_UNREADABLE");
    assert.equal(pids.filter(exists), []);
  });
});
