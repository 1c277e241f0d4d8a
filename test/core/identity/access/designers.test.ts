import * as assert from "uvu/assert";
import { actions } from "../../../../core/base/contracts/index.ts";
import { refused } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, sumOf, type Dataset, type People, type Person } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
type Made = Json & { readonly id: string };

suite("core/host: designers with embed tokens", (test) => {
  let people: People;
  let dataset: Dataset;
  let board: string;
  const tokens: Record<string, Person> = {};
  test.before(async () => {
    people = await openPeople();
    const { owner } = people;
    dataset = await people.push();
    board = (await owner.create<Made>("securable", { type: "dashboard" })).id;
    for (const role of ["viewer", "designer", "owner"])
      tokens[role] = await people.mint({
        username: `u-${role}`,
        role,
        access: {
          dashboards: [{ id: board, rights: "modify" }],
          datasets: [{ id: dataset.id, rights: "modify" }],
        },
        hidden_columns: [dataset.columns["km"]],
        filters: [
          {
            securable_id: dataset.id,
            column_id: dataset.columns["region"],
            expression: "? = ?",
            value: "north",
          },
        ],
      });
  });
  test.after(() => people.close());

  const tokenOf = (role: string): Person => {
    const token = tokens[role];
    if (!token) throw new Error(`there must be a token with role ${role}`);
    return token;
  };
  const contents = (name: string) => ({ version: "0.1.99", views: [], parameters: [{ name }] });
  const alert = () => ({
    name: "More than before",
    frequency: { unit: "day" as const, quantity: 1 },
    query: {
      dimensions: [{ dataset_id: dataset.id, column_id: dataset.columns["region"] }],
      measures: [{ dataset_id: dataset.id, column_id: "*", aggregation: "count" as const }],
    },
  });

  for (const role of ["designer", "owner"])
    test(`a ${role} can save its dashboard and create its own dashboards and alerts`, async () => {
      const { owner } = people;
      const token = tokenOf(role);
      const saved = await token.update<Json>("securable", board, { contents: contents(role) });
      assert.equal((saved["contents"] as Json)["parameters"], [{ name: role }]);
      const versions = await owner.get("securableversion", { where: { securable_id: board } });
      assert.ok(versions.rows.length >= 2, "each save creates a version");
      const own = await token.create<Made>("securable", { type: "dashboard", name: { en: "Own" } });
      assert.is(own["owner_id"], token.id);
      await token.update("securable", own.id, { contents: contents("mine") });
      const { rows } = await token.get("securable", { where: { type: "dashboard" } });
      assert.equal(rows.map(({ id }) => id).toSorted(), [board, own.id].toSorted());
      const made = await token.create<Made>("alert", alert());
      assert.is(made["user_id"], token.id);
      await token.update("alert", made.id, { name: "Renamed" });
      assert.is((await token.get("alert")).rows.length, 1);
      await token.delete("alert", made.id);
      const other = tokenOf(role === "owner" ? "designer" : "owner");
      assert.is(
        (await refused(other.update("securable", own.id, { name: { en: "x" } }))).status,
        404,
      );
      const again = await people.mint({ username: `u-${role}`, role: "viewer" });
      assert.is(
        (await again.get("securable")).rows.length,
        0,
        "a viewer can read the records that its token names",
      );
    });

  test("a viewer can neither save nor create anything", async () => {
    const viewer = tokenOf("viewer");
    for (const call of [
      () => viewer.update("securable", board, { contents: contents("viewer") }),
      () => viewer.create("securable", { type: "dashboard" }),
      () => viewer.create("alert", alert()),
      () => viewer.get("alert"),
      () => viewer.delete("securable", board),
    ])
      assert.is((await refused(call())).status, 403);
  });

  test("a designer token sees only filtered rows and visible columns, and cannot extend its own access", async () => {
    const { owner, publicGroup } = people;
    const user = await people.add("outsider");
    for (const role of ["designer", "owner"]) {
      const token = tokenOf(role);
      const own = await token.create<Made>("securable", { type: "dashboard" });
      const count = { measures: [{ ...alert().query.measures[0] }] };
      assert.equal((await token.get<{ data: unknown[] }>("data", count)).data, [[3]]);
      assert.is((await refused(token.get("data", sumOf(dataset)))).status, 400);
      const groups = { role: "Groups", id: publicGroup } as const;
      const links = [
        groups,
        { role: "Users", id: user.id },
        { role: "Owner", id: user.id },
      ] as const;
      for (const call of [
        ...links.flatMap((link) => [
          () => token.associate("securable", own.id, link, { flagRead: true }),
          () => token.associate("securable", board, link, { flagRead: true }),
          () => token.dissociate("securable", board, link),
          () => token.create("securable", { type: "dashboard" }, [link]),
        ]),
        () => token.create("securable", { type: "dataset" }),
        () => token.update("securable", dataset.id, { name: { en: "x" } }),
        () => token.delete("securable", dataset.id),
        () => token.update("column", String(dataset.columns["region"]), { hidden: true }),
        () => token.create("column", { order: 1 }),
        () => token.create("data", { type: "append", securable_id: dataset.id, data: [] }),
        () => token.create("embedfiltergroup", {}),
        () => token.delete("embedfiltergroup", dataset.id),
        () => token.create("share", {}),
        () => token.create("group", { name: "x" }),
        () => token.create("authorization", { type: "embed", username: "u-2" }),
        () => token.create("authorization", { type: "api" }),
        () => token.update("user", token.id, { name: "x" }),
      ])
        assert.is((await refused(call())).status, 403);
      const foreign = await owner.create<Made>("securable", { type: "dashboard" });
      const save = token.update("securable", foreign.id, { contents: contents("x") });
      assert.is((await refused(save)).status, 404);
      const mentions = { ...contents("m"), datasetLinks: { [(await people.push()).id]: [] } };
      await token.update("securable", own.id, { contents: mentions });
      const linked = await token.get("securable", {
        where: { id: own.id },
        include: [{ model: "Securable", as: "Datasets" }],
      });
      assert.equal(
        linked.rows[0]?.["datasets"],
        [],
        "a designer cannot link a dataset that its token cannot reach",
      );
      const taken = token.update<unknown>("securable", board, { owner_id: token.id });
      assert.match((await refused(taken)).message, /owner_id/);
      const [kept] = (await owner.get("securable", { where: { id: board } })).rows;
      assert.is(kept?.["owner_id"], owner.id);
    }
  });

  test("apart from reading, a designer may only edit dashboards and manage alerts", async () => {
    const { rows } = await people.owner.get("organization");
    const id = String(rows[0]?.["id"]);
    const open: string[] = [];
    for (const resource of ["securable", "alert", "column", "formula", "group", "share", "user"])
      for (const action of actions) {
        if (action === "get") continue;
        const body = { action, id, ...tokenOf("designer").pair };
        const { status } = await people.call(resource, body);
        if (status !== 403) open.push(`${resource} ${action}`);
      }
    assert.equal(open.toSorted(), [
      "alert backtest",
      "alert create",
      "alert delete",
      "alert preview",
      "alert test",
      "alert update",
      "alert validate",
      "securable create",
      "securable update",
      "securable validate",
    ]);
  });

  test("a dashboard's data can be read without credentials if the dashboard and all its datasets are public", async () => {
    const { owner, publicGroup } = people;
    const [one, two] = [await people.push(), await people.push()];
    const shown = await owner.create<Made>("securable", { type: "dashboard" }, [
      { role: "Datasets", id: one.id },
      { role: "Datasets", id: two.id },
    ]);
    const publish = (id: string, filters: readonly Json[] = []) =>
      owner.associate<object>(
        "securable",
        id,
        { role: "Groups", id: publicGroup },
        {
          flagRead: true,
          ...(filters.length > 0 && { filters }),
        },
      );
    const queryOpenly = async (find: Json, action = "get") => {
      const { status, body } = await people.call("data", { action, find });
      return status === 200 ? (body["data"] as unknown[][])[0]?.[0] : status;
    };
    assert.is(await queryOpenly(sumOf(one)), 401);
    await publish(one.id);
    await publish(two.id);
    assert.is(await queryOpenly(sumOf(one)), 401, "the dashboard is not public");
    await publish(shown.id);
    assert.is(await queryOpenly(sumOf(one)), 21);
    assert.is(await queryOpenly(sumOf(one), "search"), 21);
    await publish(one.id, [
      {
        securable_id: one.id,
        column_id: one.columns["region"],
        expression: "? = ?",
        value: "south",
      },
    ]);
    assert.is(await queryOpenly(sumOf(one)), 15, "under the filters of the Public group");
    assert.is(await queryOpenly(sumOf(dataset)), 401);
    assert.is(await queryOpenly({ queries: [sumOf(one), sumOf(dataset)] }), 401);
    assert.is(await queryOpenly(sumOf(one), "explain"), 401);
    assert.is(await queryOpenly({}), 401);
    const padded = { ...sumOf(one), context: { text: "x".repeat(70_000) } };
    assert.is(await queryOpenly(padded), 401, "as large as a body without credentials may be");
    await owner.dissociate("securable", two.id, { role: "Groups", id: publicGroup });
    assert.is(await queryOpenly(sumOf(one)), 401, "one of its datasets is not public");
    for (const [resource, action] of [
      ["securable", "get"],
      ["column", "get"],
      ["data", "create"],
    ] as const)
      assert.is((await people.call(resource, { action, find: {} })).status, 401, resource);
  });
});
