import * as assert from "uvu/assert";
import { randomUUID } from "node:crypto";
import { suite } from "../../support/suite.ts";
import { openTenantsFor } from "./openTenants.ts";

suite("core/resources/openRecords", (test) => {
  const tenants = openTenantsFor(test);

  const failure = async (run: () => Promise<unknown>) => {
    const thrown = await run().then(
      () => undefined,
      (each: unknown) => each,
    );
    if (!(thrown instanceof Error)) throw new Error("nothing was thrown");
    return thrown as Error & { code?: string };
  };

  test("an inserted record gets an id, timestamps and defaults, and keeps the given values", async () => {
    const { records, ada } = tenants;
    const id = randomUUID();
    const row = await records.insert("securable", {
      id,
      type: "dataset",
      owner_id: ada.userId,
      rows: 2 ** 53 - 1,
      subtitle: undefined,
    });
    assert.equal([row.id, row["rows"], row["cache"], row["subtitle"]], [id, 2 ** 53 - 1, 0, null]);
    assert.instance(row["created_at"], Date);
    assert.equal(await records.find("securable", { id }), [row]);
  });

  test("`insertMany` inserts any number of records in the given order", async () => {
    const { records, ada } = tenants;
    const values = Array.from({ length: 1_201 }, (_, order) => ({
      order,
      user_id: ada.userId,
      duration_levels: [order],
    }));
    const rows = await records.insertMany("column", values);
    assert.equal(
      rows.map((row) => row["order"]),
      values.map(({ order }) => order),
    );
    assert.equal(rows[7]?.["duration_levels"], [7]);
    assert.equal(await records.insertMany("column", []), []);
    await records.remove(
      "column",
      rows.map(({ id }) => id),
    );
    assert.equal(await records.find("column", {}), []);
  });

  test("records are found by equality, null and lists of any length, and a malformed id finds nothing", async () => {
    const { records, ada } = tenants;
    const [one, two] = await records.insertMany("column", [
      { order: 1, user_id: ada.userId, subtype: "date" },
      { order: 2, user_id: ada.userId },
    ]);
    const ids = async (where: Record<string, unknown>) =>
      (await records.find("column", where)).map(({ id }) => id).sort();
    assert.equal(await ids({ order: 1, subtype: "date" }), [one?.id]);
    assert.equal(await ids({ subtype: null }), [two?.id]);
    assert.equal(await ids({ order: [1, 2, 3] }), [one?.id, two?.id].sort());
    assert.equal(
      await ids({ id: [...Array.from({ length: 70_000 }, () => randomUUID()), one?.id, "odd"] }),
      [one?.id],
    );
    assert.equal(await ids({ id: "odd" }), []);
    assert.equal(await ids({ id: [] }), []);
  });

  test("an undeclared member or resource causes a TypeError, because it is a bug in the code", async () => {
    const { records } = tenants;
    assert.instance(await failure(() => records.find<string>("column", { nope: 1 })), TypeError);
    assert.instance(await failure(() => records.find("account", { token: "x" })), TypeError);
    assert.instance(
      await failure(() => records.insert<string>("column", { constructor: 1 })),
      TypeError,
    );
    assert.instance(await failure(() => records.find("nope", {})), TypeError);
  });

  test("updating a record that does not exist fails with RECORD_NOT_FOUND", async () => {
    const { records, ada } = tenants;
    const row = await records.insert("column", { order: 1, user_id: ada.userId });
    const changed = await records.change("column", row.id, { order: 5, name: { en: "N" } });
    assert.equal([changed["order"], changed["name"]], [5, { en: "N" }]);
    for (const id of [randomUUID(), "odd"])
      assert.is(
        (await failure(() => records.change("column", id, { order: 1 }))).code,
        "RECORD_NOT_FOUND",
      );
  });

  test("a failed transaction undoes all its changes", async () => {
    const { records, ada } = tenants;
    const before = (await records.find("column", {})).length;
    await failure(() =>
      records.transaction(async (transaction) => {
        await records.insert("column", { order: 1, user_id: ada.userId }, transaction);
        assert.is((await records.find("column", {}, transaction)).length, before + 1);
        throw new Error("stop");
      }),
    );
    assert.is((await records.find("column", {})).length, before);
  });

  test("visible records are returned under the ids of the request, whatever their letter case", async () => {
    const { records, ada, eve } = tenants;
    const { id } = await records.insert("securable", { type: "dataset", owner_id: ada.userId });
    const ids = [id.toUpperCase(), "odd", randomUUID(), "a\u0000b"];
    assert.equal(
      [...(await records.visible("securable", ids, "own", ada)).keys()],
      [id.toUpperCase()],
    );
    assert.is((await records.visible("securable", ids, "read", eve)).size, 0);
    assert.is((await records.visible("securable", [], "read", ada)).size, 0);
  });

  test("finding the links of a record returns the links with this record at either end and no others", async () => {
    const { records, catalog, ada } = tenants;
    const [one, two, three] = (
      await records.insertMany(
        "column",
        [1, 2, 3].map((order) => ({ order, user_id: ada.userId })),
      )
    ).map(({ id }) => id) as [string, string, string];
    await catalog.knex("column_joins").insert([
      { column_id: one, joins_id: two },
      { column_id: three, joins_id: one },
    ]);
    const linked = async (...ids: string[]) =>
      (await records.linked("column", "Joins", ids))
        .map(({ ownId, otherId }) => [ownId, otherId])
        .toSorted();
    const both = [
      [one, two],
      [three, one],
    ].toSorted();
    assert.equal(await linked(one), both);
    assert.equal(await linked(two), [[one, two]]);
    assert.equal(await linked(two, three, "odd", randomUUID()), both);
    assert.equal(await linked("odd"), []);
    assert.equal(await linked(), []);
    assert.match((await failure(() => records.linked("column", "Securable", []))).message, /links/);
  });

  test("a presented record contains instants as ISO strings, but no secret or hidden members", async () => {
    const { records, ada } = tenants;
    const row = await records.insert("authorization", {
      type: "api",
      user_id: ada.userId,
      token_hash: Buffer.alloc(32),
    });
    const record = records.present("authorization", row);
    assert.is(record["expiry"], "9999-12-31T00:00:00.000Z");
    assert.not("token_hash" in record);
    assert.throws(() => records.reveal("authorization", row, "token_hash"), /not a secret/);
  });
});
