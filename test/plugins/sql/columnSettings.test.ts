import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as assert from "uvu/assert";
import { open } from "../../../connectors/sqlite/index.ts";
import {
  rowsOfBatch,
  type Column,
  type Filter,
  type Plugin,
  type Query,
} from "../../../plugins/protocol/index.ts";
import { openReach } from "../../support/openReach.ts";
import { suite } from "../../support/suite.ts";

suite("plugins/sql/columnSettings", (test) => {
  let folder = "";
  let plugin: Plugin;
  let database: DatabaseSync;
  test.before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-settings-")));
    database = new DatabaseSync(join(folder, "orders.sqlite"));
    database.exec(`
      create table orders (id integer, other integer, price numeric, at datetime);
      create table people (id text, other integer);
      create table numbered (id integer primary key, other integer);
      create table snowflakes (id integer primary key);
      insert into numbered values (17, 1);
      insert into snowflakes values (1090000000000000001);
      insert into orders values (9007199254740992, 1, 1.5, '2024-07-01 12:00:00'),
        (9007199254740993, 9007199254740993, 2, '2024-07-01T12:00:00+00:00'),
        (9007199254740993, null, null, '2024-07-01')`);
    plugin = await open({ reach: openReach(folder), timeoutMs: 30_000, sizeBytes: 2 ** 26 });
  });
  test.after(async () => {
    await plugin.close?.();
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const callWith = (properties: Readonly<Record<string, string>>) => ({
    credentials: { host: join(folder, "orders.sqlite"), properties },
    // Accounts of one organization share a reader process.
    tenant: { organization: "one", user: "ada" },
    signal: new AbortController().signal,
  });
  const list = async (properties: Readonly<Record<string, string>>) => {
    const [numbered, orders, people, snowflakes] = await plugin.datasets(callWith(properties));
    const typeOf = (column: Column) => [column.id, column.type] as const;
    return {
      orders: Object.fromEntries(orders!.columns.map(typeOf)),
      people: Object.fromEntries(people!.columns.map(typeOf)),
      notes: orders!.notes?.join("\n") ?? "",
      ofKeys: [numbered, snowflakes].map((each) => each?.notes?.join("\n") ?? ""),
    };
  };
  const rows = async (
    properties: Readonly<Record<string, string>>,
    query: Partial<Query>,
    columns?: readonly Column[],
  ) => {
    const id = "main.orders";
    const whole = {
      id,
      columns: [{ column_id: "id" }],
      filters: [],
      options: { pushdown: false },
      ...query,
    };
    const dataset = columns && { dataset: { id, columns: [...columns] } };
    return rowsOfBatch(await plugin.query({ ...callWith(properties), query: whole, ...dataset }));
  };
  const failureOf = async (run: Promise<unknown>): Promise<string> => {
    const failure = await run.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    assert.instance(failure, Error);
    return failure instanceof Error ? failure.message : "";
  };

  test("`big_integers` reads the digits of all integers, so that neighbors beyond 2^53 stay distinct", async () => {
    const properties = { big_integers: "text" };
    assert.equal(await rows(properties, {}), [
      ["9007199254740992"],
      ["9007199254740993"],
      ["9007199254740993"],
    ]);
    const counts = {
      columns: [{ column_id: "id" }, { column_id: "*", aggregation: "count" as const }],
      options: { pushdown: true },
      order: [{ column: 0, order: "asc" as const }],
    };
    assert.equal(await rows(properties, counts), [
      ["9007199254740992", 1],
      ["9007199254740993", 2],
    ]);
    const found = async (filter: Filter) => (await rows(properties, { filters: [filter] })).length;
    const where = (expression: "=" | "in" | "not in", value: string[]): Filter => ({
      column_id: "id",
      expression,
      value,
    });
    assert.is(await found(where("=", ["9007199254740993"])), 2);
    assert.is(await found(where("=", ["09007199254740993"])), 0);
    assert.is(await found(where("in", ["9007199254740992", "x"])), 1);
    assert.is(await found(where("not in", ["9007199254740992"])), 2);
  });

  test("`columns` chooses the type of one column, in all tables or in one", async () => {
    const all = await list({ columns: '{"other": "text"}' });
    assert.equal([all.orders["other"], all.people["other"]], ["hierarchy", "hierarchy"]);
    assert.is(all.orders["id"], "numeric");
    const one = await list({ columns: '{"main.orders.other": "text"}' });
    assert.equal([one.orders["other"], one.people["other"]], ["hierarchy", "numeric"]);
    const except = await list({ big_integers: "text", columns: '{"other": "number"}' });
    assert.equal([except.orders["id"], except.orders["other"]], ["hierarchy", "numeric"]);
  });

  test("notes name the columns that may lose digits, and settings that do not apply", async () => {
    assert.match(
      (await list({})).notes,
      /more than 15 digits may be rounded in "id", "other"; only the types/,
    );
    assert.is((await list({ big_integers: "text" })).notes, "");
    assert.match(
      (await list({ columns: '{"at": "text"}' })).notes,
      /does not apply to "at".* datetime/,
    );
  });

  test("notes about integers follow the largest value that the database knows", async () => {
    const [numbered = "", snowflakes = ""] = (await list({})).ofKeys;
    assert.match(numbered, /may be rounded in "other"; only the types/);
    assert.match(snowflakes, /^numbers beyond 2\^53 are rounded in "id", so that different/);
    assert.equal((await list({ big_integers: "text" })).ofKeys, ["", ""]);
  });

  test("a datetime without zone is read on the clock of `time_zone`, and one with a zone as before", async () => {
    const query = { columns: [{ column_id: "at" }] };
    const noon = Date.parse("2024-07-01T12:00Z");
    assert.equal(await rows({}, query), [[noon], [noon], [Date.parse("2024-07-01")]].map(iso));
    const properties = { time_zone: "Europe/Brussels" };
    const expected = [[noon - 7_200_000], [noon], [Date.parse("2024-06-30T22:00Z")]];
    assert.equal(await rows(properties, query), expected.map(iso));
  });

  test("invalid settings are refused with the property and its allowed values", async () => {
    const wrong: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
      [{ big_integers: "yes" }, /big_integers must be one of number, text/],
      [{ columns: "id" }, /columns must be a JSON object/],
      [{ columns: '["id"]' }, /columns must be a JSON object/],
      [{ columns: '{"id": "date"}' }, /"id" in properties\.columns must be one of number, text/],
      [{ time_zone: "Mars/Base" }, /time_zone must be an IANA time zone .* not "Mars\/Base"/],
      [{ time_zone: "+02:00" }, /time_zone must be an IANA time zone/],
    ];
    for (const [properties, message] of wrong)
      assert.match(await failureOf(plugin.datasets(callWith(properties))), message);
  });

  test("a column whose type differs from what the dataset knows is named with both types and the way out", async () => {
    const known = (id: string): Column => ({ id, name: {}, type: "numeric" });
    assert.match(
      await failureOf(rows({ big_integers: "text" }, {}, [known("id")])),
      /has no column id of type numeric, because it is now hierarchy \(at the source INTEGER\); update the dataset with update_metadata/i,
    );
    const query = { columns: [{ column_id: "gone" }] };
    assert.match(
      await failureOf(rows({}, query, [known("gone")])),
      /no column gone, which was renamed or dropped at the source/,
    );
  });
});

function iso(row: readonly number[]): readonly string[] {
  return row.map((instant) => new Date(instant).toISOString());
}
