import * as assert from "uvu/assert";
import { forwardSocket, type Forwarded } from "../../../support/forwardSocket.ts";
import { openPostgresDatabase, type PostgresDatabase } from "../../../support/postgresDatabase.ts";
import { suite } from "../../../support/suite.ts";
import { findBarriers } from "./findBarriers.ts";
import { openConsole, type OpenConsole } from "./openConsole.ts";

suite("core/web/console: warnings of a connection", (test) => {
  let opened: OpenConsole;
  let database: PostgresDatabase;
  let forwarded: Forwarded;
  test.before(async () => {
    database = await openPostgresDatabase();
    const { host, port } = database.server;
    forwarded = await forwardSocket(`${host}/.s.PGSQL.${port}`);
    opened = await openConsole({ egressAllow: [`127.0.0.1:${forwarded.port}`] });
  });
  test.after(async () => {
    await opened?.close();
    await forwarded?.close();
    await database?.close();
  });

  test.deep("a connection whose database user is a superuser shows a warning", async () => {
    await database.run("create table t (n int)");
    const { key = "", token = "" } = database.credentials;
    const account = await opened.client.create<{ id: string }>("account", {
      provider: "postgresql",
      name: "Sales",
      host: forwarded.host,
      port: String(forwarded.port),
      scope: database.database,
      identifier: key,
      token,
      properties: { ssl: "disable" },
    });
    const page = await opened.openPage(`/data/connections/${account.id}`);
    const note = page.getByRole("note");
    await note.waitFor();
    assert.match(await note.innerText(), /can do more than read.*superuser/s);
    assert.equal(await findBarriers(page), []);
    assert.equal(opened.reports, []);
  });
});
