import { randomBytes } from "node:crypto";
import * as assert from "uvu/assert";
import { open } from "../../../connectors/postgres/index.ts";
import type { Credentials, Plugin } from "../../../plugins/protocol/index.ts";
import { openReach } from "../../support/openReach.ts";
import { openPostgresDatabase, type PostgresDatabase } from "../../support/postgresDatabase.ts";
import { suite } from "../../support/suite.ts";

suite("connectors/postgres/roleWarnings", (test) => {
  const role = `reader_${randomBytes(4).toString("hex")}`;
  let database: PostgresDatabase;
  let plugin: Plugin;
  test.before(async () => {
    database = await openPostgresDatabase();
    await database.run(`
      create table t (n int, m int);
      create sequence numbers;
      create schema other;
      create role ${role} login password 'secret';
      grant select on t to ${role};
      grant usage on schema other to ${role};`);
    plugin = await open({ reach: openReach(), timeoutMs: 20_000, sizeBytes: 2 ** 26 });
  });
  test.after(async () => {
    await plugin.close?.();
    await database.run(`drop owned by ${role}; drop role ${role}`);
    await database.close();
  });
  const reader = (): Credentials => ({ ...database.credentials, key: role, token: "secret" });
  const warningsOf = async (credentials = reader()) => {
    const signal = new AbortController().signal;
    const { warnings = [] } = (await plugin.capabilitiesOf?.({ credentials, signal })) ?? {};
    return warnings;
  };

  test("a role with only the SELECT privilege causes no warning", async () => {
    assert.equal(await warningsOf(), []);
  });

  test("a superuser causes a single warning", async () => {
    const warnings = await warningsOf(database.credentials);
    assert.is(warnings.length, 1);
    assert.match(warnings[0]!, /is a superuser.*only SELECT/);
  });

  for (const [grant, revoke, expected] of [
    ["grant insert on t to $", "revoke insert on t from $", /may write to 1 table \(public\.t\)/],
    ["grant update (m) on t to $", "revoke update (m) on t from $", /may write to 1 table/],
    ["grant truncate on t to $", "revoke truncate on t from $", /may write to 1 table/],
    ["grant delete on t to public", "revoke delete on t from public", /may write to 1 table/],
    [
      "grant usage on sequence numbers to $",
      "revoke usage on sequence numbers from $",
      /1 sequence/,
    ],
    [
      "grant create on schema other to $",
      "revoke create on schema other from $",
      /create objects in 1 schema \(other\)/,
    ],
    [
      "alter table t owner to $",
      "alter table t owner to current_user; grant select on t to $",
      /public\.t/,
    ],
    ["alter role $ bypassrls", "alter role $ nobypassrls", /has BYPASSRLS/],
    [
      "alter role $ createrole createdb",
      "alter role $ nocreaterole nocreatedb",
      /CREATEROLE, CREATEDB/,
    ],
    [
      "grant pg_write_all_data to $",
      "revoke pg_write_all_data from $",
      /member of pg_write_all_data/,
    ],
    [
      "grant pg_read_server_files, pg_execute_server_program to $",
      "revoke pg_read_server_files, pg_execute_server_program from $",
      /pg_execute_server_program, pg_read_server_files/,
    ],
    ["alter role $ superuser", "alter role $ nosuperuser", /is a superuser/],
  ] as const)
    test(`the account shows a warning after ${grant.replace("$", "the role")}`, async () => {
      await database.run(grant.replaceAll("$", role));
      const warnings = await warningsOf();
      await database.run(revoke.replaceAll("$", role));
      assert.match(warnings.join("\n"), expected);
      assert.not.match(warnings.join("\n"), "secret");
      assert.equal(await warningsOf(), []);
    });

  test("the account also warns about rights that its role gets by switching to another role", async () => {
    await database.run(`
      create role ${role}_owner bypassrls;
      grant ${role}_owner to ${role} with inherit false, set true;`);
    const warnings = await warningsOf();
    await database.run(`drop role ${role}_owner`);
    assert.match(warnings.join("\n"), /has BYPASSRLS/);
  });
});
