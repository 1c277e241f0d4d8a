import * as assert from "uvu/assert";
import { clickhouseSuite, openClickhouseDatabase, runStatement } from "./clickhouseDatabase.ts";
import { openClickhouseServer } from "./clickhouseServer.ts";

clickhouseSuite("test/support/clickhouseServer", (test) => {
  test.deep(
    "a killed ClickHouse test server restarts on its port with its data, and does not use UTC",
    async () => {
      const server = await openClickhouseServer();
      try {
        const { run, database } = await openClickhouseDatabase(server);
        await run("create table kept (a Int32) engine = MergeTree order by a");
        await run("insert into kept values (1), (2)");
        await server.kill();
        await refusedBy(() => run("select 1"), /fetch failed/);
        await server.restart();
        assert.is(await run("select sum(a) from kept"), "3\n");
        assert.is(await run("select timezone(), currentDatabase()"), `Asia/Kolkata\t${database}\n`);
      } finally {
        await server.close();
      }
    },
  );

  test("the ClickHouse test server has users with passwords, and its locked user may not change settings", async () => {
    const { close, ...server } = await openClickhouseDatabase();
    const { locked, database } = server;
    assert.is(await runStatement(server, "select currentUser()", database, locked), "locked\n");
    const changing = "select 1 settings max_threads = 1";
    await refusedBy(() => runStatement(server, changing, database, locked), /READONLY/);
    const stranger = { ...locked, password: "wrong" };
    await refusedBy(() => runStatement(server, "select 1", database, stranger), /AUTHENTICATION/);
    await close();
  });
});

async function refusedBy(run: () => Promise<unknown>, message: RegExp): Promise<void> {
  const failure = await run().then(() => undefined, String);
  assert.match(failure ?? "nothing was thrown", message);
}
