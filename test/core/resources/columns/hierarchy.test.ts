import * as assert from "uvu/assert";
import { randomUUID } from "node:crypto";
import { suite } from "../../../support/suite.ts";
import { openTenants, type Tenants } from "../openTenants.ts";

type Json = Record<string, unknown>;

suite("core/resources/columns/hierarchy", (test) => {
  let tenants: Tenants;
  let id: string;
  test.before(async () => {
    tenants = await openTenants();
  });
  test.beforeEach(async () => {
    id = await tenants.make(tenants.ada, "column");
  });
  test.after(() => tenants.close());

  const update = (updates: unknown) =>
    tenants.call(tenants.ada, "hierarchy", "update", { id, properties: { updates } });
  const list = async (find: Json = {}) => {
    const answer = await tenants.call(tenants.ada, "hierarchy", "get", {
      find: { where: { column_id: id }, ...find },
    });
    return answer as unknown as { count: number; rows: Json[] };
  };

  test("updating a hierarchy adds values with labels, colours and positions in the tree", async () => {
    const ghent = {
      id: "Ghent",
      name: { en: "Ghent", fr: "Gand" },
      color: "#00f",
      virtual: false,
      trace: ["_$root", "Ghent"],
      level: 1,
      subTreeLevel: 0,
    };
    const answer = await update([ghent, { id: "" }, { id: 'it\'s "x" \\ 漢' }]);
    assert.equal([answer.id, answer["count"], answer["code"]], [id, 3, 200]);
    const { count, rows } = await list();
    assert.is(count, 3);
    assert.equal(
      rows.find((row) => row["id"] === "Ghent"),
      { column_id: id, ...ghent },
    );
    assert.equal(
      rows.map((row) => row["id"]),
      ["", "Ghent", 'it\'s "x" \\ 漢'],
    );
  });

  test("getting a hierarchy can return a single value, and fails for a value that is not a string", async () => {
    await update([{ id: "a", level: 2 }, { id: "b" }, { id: "" }]);
    const one = await list({ where: { column_id: id, value: "a" } });
    assert.equal([one.count, one.rows.map((row) => row["level"])], [1, [2]]);
    assert.is((await list({ where: { column_id: id, value: "" } })).count, 1);
    assert.is((await list({ where: { column_id: id, value: "c" } })).count, 0);
    const body = { find: { where: { column_id: id, value: 1 } } };
    const { message } = await tenants.refusal(tenants.ada, "hierarchy", "get", body);
    assert.match(message, /find\.where\.value.*must be a string/);
  });

  test("updating a hierarchy changes only the members that are sent, and null clears a member", async () => {
    await update([{ id: "a", name: { en: "A" }, color: "#111111", level: 2 }]);
    await update([
      { id: "a", color: null },
      { id: "b", virtual: true },
      { id: "a", level: 3 },
    ]);
    const { rows } = await list();
    assert.equal(
      rows.map(({ id: value, name, color, level, virtual }) => [
        value,
        name,
        color,
        level,
        virtual,
      ]),
      [
        ["a", { en: "A" }, null, 3, false],
        ["b", null, null, null, true],
      ],
    );
  });

  test("an update removes a hierarchy value only if it clears the value's last member", async () => {
    await update([
      { id: "gone", name: { en: "Gone" }, color: "#111111" },
      { id: "kept", name: { en: "Kept" }, level: 2 },
      { id: "named" },
    ]);
    await update([
      { id: "gone", name: null, color: null },
      { id: "kept", name: null },
      { id: "absent", name: null },
    ]);
    const values = (await list()).rows.map(({ id: value }) => value);
    assert.equal(
      ["gone", "kept", "named", "absent"].map((value) => values.includes(value)),
      [false, true, true, false],
    );
  });

  test("concurrent updates of a hierarchy do not overwrite each other's members", async () => {
    await update([{ id: "x" }]);
    await Promise.all([
      update([{ id: "x", color: "#123456" }]),
      update([{ id: "x", level: 4 }]),
      update([{ id: "x", name: { en: "X" } }]),
    ]);
    const [row] = (await list()).rows;
    assert.equal([row?.["color"], row?.["level"], row?.["name"]], ["#123456", 4, { en: "X" }]);
  });

  test.deep(
    "a hierarchy update accepts 10,000 values in one call, and `get` lists them in pages",
    async () => {
      await update(
        Array.from({ length: 10_000 }, (_, index) => ({ id: `v${index}`, level: index })),
      );
      const first = await list({ limit: 3 });
      assert.equal([first.count, first.rows.length], [10_000, 3]);
      const last = await list({ limit: 5, offset: 9_998 });
      assert.is(last.rows.length, 2);
      const tooMany = Array.from({ length: 10_001 }, (_, index) => ({ id: String(index) }));
      const body = { id, properties: { updates: tooMany } };
      const { message } = await tenants.refusal(tenants.ada, "hierarchy", "update", body);
      assert.match(message, /properties\.updates .*at most 10000/);
    },
  );

  test("a hierarchy update with an error changes nothing, and the error names the problem", async () => {
    const cases: [unknown, RegExp][] = [
      [undefined, /properties\.updates is required/],
      ["x", /properties\.updates/],
      [[7], /updates\[0\].*object/],
      [[{}], /updates\[0\]\.id/],
      [[{ id: 7 }], /updates\[0\]\.id/],
      [[{ id: "a\u0000" }], /updates\[0\]\.id .*NUL/],
      [[{ id: "a" }, { id: "b", name: "B" }], /updates\[1\]\.name/],
      [[{ id: "a", color: "red" }], /updates\[0\]\.color/],
      [[{ id: "a", virtual: null }], /updates\[0\]\.virtual/],
      [[{ id: "a", trace: [1] }], /updates\[0\]\.trace/],
      [[{ id: "a", level: "1" }], /updates\[0\]\.level/],
    ];
    for (const [updates, words] of cases) {
      const body = { id, properties: { updates } };
      const refused = await tenants.refusal(tenants.ada, "hierarchy", "update", body);
      assert.is(refused.status, 400);
      assert.match(refused.message, words);
    }
    assert.is((await list()).count, 0);
  });

  test("a hierarchy has the rights of its column, so other organizations cannot see its values", async () => {
    const { ada, bob, eve, call, refusal } = tenants;
    const { id: dataset } = await call(ada, "securable", "create", {
      properties: { type: "dataset" },
    });
    await call(ada, "column", "associate", { id, resource: { role: "Securable", id: dataset } });
    const of = (columnId: unknown) => ({
      id: columnId,
      properties: { updates: [{ id: "a" }] },
      find: { where: { column_id: columnId } },
    });
    for (const action of ["get", "update"] as const) {
      const own = await refusal(eve, "hierarchy", action, of(id));
      const random = randomUUID();
      const unknown = await refusal(eve, "hierarchy", action, of(random));
      assert.is(own.message.replace(id, "<id>"), unknown.message.replace(random, "<id>"));
      for (const odd of ["odd", 7, ["x"], "' or true --"])
        assert.is((await refusal(ada, "hierarchy", action, of(odd))).code, "RECORD_NOT_FOUND");
    }
    const share = { id: dataset, resource: { role: "Users", id: bob.userId } };
    await call(ada, "securable", "associate", share);
    await call(bob, "hierarchy", "get", of(id));
    assert.is((await refusal(bob, "hierarchy", "update", of(id))).code, "FORBIDDEN");
    const [column] = await tenants.rows(ada, "column", { where: { id } });
    const value = column?.["type"] === "numeric" ? 1 : "x";
    const filters = [{ securable_id: dataset, column_id: id, expression: "? = ?", value }];
    await call(ada, "securable", "associate", { ...share, properties: { filters } });
    const limited = await refusal(bob, "hierarchy", "get", of(id));
    assert.is(limited.code, "FORBIDDEN");
    assert.match(limited.message, /see all rows of the dataset.*your share of the dataset has/);
    assert.is((await refusal(bob, "hierarchy", "get", {})).code, "MEMBER_MISSING");
    await call(ada, "column", "delete", { id });
    assert.is((await refusal(ada, "hierarchy", "get", of(id))).code, "RECORD_NOT_FOUND");
  });
});
