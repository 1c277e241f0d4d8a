import * as assert from "uvu/assert";
import { createRowFilters } from "../../../../core/identity/access/index.ts";
import type {
  ConnectionOverride,
  Principal,
  Connections,
} from "../../../../core/base/contracts/index.ts";
import { createQueries, type Queries, type QueryAnswer } from "../../../../core/queries/index.ts";
import type { Cell } from "../../../../plugins/protocol/index.ts";
import { connectionOf, createPlainConnections } from "../../../support/plainConnections.ts";
import { createPlainPlugin, type PlainPlugin } from "../../../support/plainPlugin.ts";
import { refusal } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";
import { openTokens, type Tokens } from "./openTokens.ts";

const rows: readonly (readonly Cell[])[] = [
  ["Ghent", 1, "2024-01-01T00:00:00.000Z", "a"],
  ["Lille", 2, "2024-02-01T00:00:00.000Z", "a"],
  ["Ghent", 4, "2024-03-01T00:00:00.000Z", "b"],
];

suite("core/identity/access/rowFilters", (test) => {
  let tokens: Tokens;
  let queries: Queries;
  let group: string;
  let store: PlainPlugin;
  const opened: (readonly [string, ConnectionOverride | undefined])[] = [];

  test.before(async () => {
    tokens = await openTokens();
    const { dataset, columns, records, ada, catalog } = tokens;
    store = createPlainPlugin();
    const stored = [
      { id: columns["city"], type: "hierarchy" },
      { id: columns["km"], type: "numeric" },
      { id: columns["day"], type: "datetime" },
      { id: columns["tenant"], type: "hierarchy" },
    ] as { id: string; type: "hierarchy" | "numeric" | "datetime" }[];
    store.fill(dataset, stored, rows);
    const plain = createPlainConnections({ store, scratch: createPlainPlugin() });
    const connections: Connections = {
      ...plain,
      async ofAccount(id, override) {
        opened.push([id, override]);
        return connectionOf("live", store);
      },
    };
    queries = createQueries({ records, connections, rowFilters: createRowFilters(catalog) });
    group = await tokens.make(ada, "embedfiltergroup");
  });
  test.after(() => tokens.close());

  const answerTo = (principal: Principal, query: object): Promise<QueryAnswer> =>
    queries.answer(query, principal, new AbortController().signal) as Promise<QueryAnswer>;
  const sum = (dataset = tokens.dataset) => ({
    measures: [{ dataset_id: dataset, column_id: tokens.columns["km"] }],
  });
  const sumAs = async (principal: Principal, dataset?: string): Promise<unknown> =>
    (await answerTo(principal, sum(dataset))).data[0]?.[0];
  const access = () => ({ datasets: [{ id: tokens.dataset }] });
  const embed = async (properties: object = {}) =>
    tokens.whoIs(await tokens.mint({ access: access(), ...properties }));
  const filter = (name: string, expression: string, value: unknown) => ({
    securable_id: tokens.dataset,
    column_id: tokens.columns[name],
    expression,
    value,
  });
  const fill = (filters: readonly object[]) =>
    tokens.call(tokens.ada, "embedfiltergroup", filters.length > 0 ? "associate" : "dissociate", {
      id: group,
      resource: { role: "Securables", id: tokens.dataset },
      properties: { filters },
    });

  test("an embed token can query only the datasets that it names", async () => {
    const { otherDataset, foreignDataset, ada, dashboard } = tokens;
    const self = await embed();
    assert.is(await sumAs(self), 7);
    for (const other of [otherDataset, foreignDataset, dashboard])
      assert.is((await refusal(answerTo(self, sum(other)))).code, "RECORD_NOT_FOUND");
    assert.is(await sumAs(ada), 7);
  });

  test("a token's filters also apply to datasets whose ids the query writes in uppercase", async () => {
    const { dataset, columns } = tokens;
    const upper = { ...filter("tenant", "? = ?", "a"), securable_id: dataset.toUpperCase() };
    const self = await embed({
      filters: [{ ...upper, column_id: String(columns["tenant"]).toUpperCase() }],
    });
    assert.is(await sumAs(self), 3);
    assert.is(await sumAs(self, dataset.toUpperCase()), 3);
  });

  test("the organization's filter group applies to every embed token, in addition to the token's filters", async () => {
    const { ada, eve, mint, whoIs } = tokens;
    const [plain, narrowed] = [
      await embed(),
      await embed({ filters: [filter("tenant", "? = ?", "a")] }),
    ];
    await fill([filter("city", "? = ?", "Ghent")]);
    assert.equal([await sumAs(plain), await sumAs(narrowed), await sumAs(ada)], [5, 1, 7]);
    await fill([]);
    assert.equal([await sumAs(plain), await sumAs(narrowed)], [7, 3]);
    assert.ok(await whoIs(await mint({}, eve)));
  });

  test("a token that does not set a parameter of the organization's filter group cannot query the dataset", async () => {
    const parameter = { parameter: "metadata.tenants", type: "array[hierarchy]" };
    await fill([filter("tenant", "? in ?", parameter)]);
    const withValue = (value: unknown) => embed({ parameter_overrides: { tenants: value } });
    assert.is(await sumAs(await withValue(["b"])), 4);
    assert.is(await sumAs(await withValue({ value: ["a", "b"], sensitive: true })), 7);
    assert.is(await sumAs(await withValue([])), null);
    assert.is(await sumAs(await withValue({ clear: true })), 7);
    for (const self of [await embed(), await withValue("b"), await withValue([5])]) {
      const refused = await refusal(answerTo(self, sum()));
      assert.equal([refused.code, refused.status], ["ROWS_CLOSED", 403]);
    }
    await fill([]);
  });

  test("a token's filter may use derived columns and relative dates, but must be valid", async () => {
    const { records, dataset, columns, ada } = tokens;
    const derived = async (name: string, expression: string) => {
      const order = 20;
      const user_id = ada.userId;
      const values = { securable_id: dataset, type: "hierarchy", order, user_id, expression };
      return (await records.insert("column", { ...values, name: { en: name } })).id;
    };
    const initial = await derived("initial", `left({${dataset}:${columns["city"]}}, 1)`);
    const broken = await derived("broken", `{${dataset}:${initial}} + 1`);
    const by = (column_id: unknown, expression: string, value: unknown) => ({
      filters: [{ securable_id: dataset, column_id, expression, value }],
    });
    assert.is(await sumAs(await embed(by(initial, "? = ?", "G"))), 5);
    const hidden = { ...by(initial, "? != ?", "G"), hidden_columns: [initial, columns["city"]] };
    assert.is(await sumAs(await embed(hidden)), 2);
    assert.is(
      await sumAs(await embed(by(columns["day"], "more_than_ago", { unit: 1, quantity: 0 }))),
      7,
    );
    assert.is(await sumAs(await embed(by(columns["day"], "last_now", { unit: 9 }))), null);
    for (const [properties, path] of [
      [by(broken, "? = ?", 1), /filters\[0\]\.column_id.*cannot be computed/],
      [by(initial, "? = ?", 5), /filters\[0\]\.value.*a string/],
      [by(initial, "? > ?", "G"), /filters\[0\]\.expression/],
      [by(columns["day"], "last_available", { unit: 1 }), /filters\[0\]\.expression/],
      [by(columns["day"], "ago", { unit: 99 }), /filters\[0\]\.value\.unit/],
      [by(columns["km"], "ago", { unit: 1 }), /filters\[0\]\.expression.*datetime/],
    ] as const) {
      const refused = await refusal(embed(properties));
      assert.is(refused.status, 400);
      assert.match(refused.message, path);
    }
    await records.remove("column", [initial, broken]);
  });

  test("a dataset cannot be queried while a filter names a deleted column", async () => {
    const { records, dataset, ada } = tokens;
    const column = await records.insert("column", {
      securable_id: dataset,
      type: "hierarchy",
      order: 9,
      user_id: ada.userId,
    });
    const self = await embed({
      filters: [{ ...filter("tenant", "? = ?", "a"), column_id: column.id }],
    });
    await records.remove("column", [column.id]);
    assert.is((await refusal(answerTo(self, sum()))).code, "ROWS_CLOSED");
  });

  test("a dataset cannot be queried while a stored filter cannot be parsed", async () => {
    await fill([filter("tenant", "? = ?", "a")]);
    const self = await embed();
    for (const filters of [["x"], [{}], [{ ...filter("tenant", "? = ?", "a"), extra: 1 }]]) {
      await tokens.catalog
        .knex("embedfiltergroup_securable")
        .update({ filters: JSON.stringify(filters) });
      assert.is((await refusal(answerTo(self, sum()))).code, "ROWS_CLOSED");
    }
    await fill([]);
  });

  test("a hidden column cannot be queried by its id, but row filters can use it", async () => {
    const { columns, dataset } = tokens;
    const self = await embed({
      hidden_columns: [columns["tenant"]],
      filters: [filter("tenant", "? = ?", "b")],
    });
    const reference = { dataset_id: dataset, column_id: columns["tenant"] };
    for (const id of [columns["tenant"], String(columns["tenant"]).toUpperCase()])
      assert.is(
        (await refusal(answerTo(self, { dimensions: [{ ...reference, column_id: id }] }))).code,
        "QUERY_UNKNOWN_COLUMN",
      );
    assert.is(await sumAs(self), 4);
  });

  const share = (role: string, id: string, filters: readonly object[]) =>
    tokens.call(tokens.ada, "securable", "associate", {
      id: tokens.dataset,
      resource: { role, id },
      properties: { flagRead: true, flagUse: true, filters },
    });
  const unshare = (role: string, id: string) =>
    tokens.call(tokens.ada, "securable", "dissociate", {
      id: tokens.dataset,
      resource: { role, id },
    });

  test("a share's filters restrict its user even if another share of the dataset has no filters", async () => {
    const { ada, bob, make, call } = tokens;
    await share("Users", bob.userId, [filter("tenant", "? = ?", "a")]);
    assert.equal([await sumAs(bob), await sumAs(ada)], [3, 7]);
    const group = await make(ada, "group");
    await call(ada, "group", "associate", {
      id: group,
      resource: { role: "Users", id: bob.userId },
    });
    await share("Groups", group, [filter("city", "? = ?", "Ghent")]);
    assert.is(await sumAs(bob), 1);
    await share("Groups", group, []);
    assert.is(await sumAs(bob), 3);
    await share("Groups", group, [filter("city", "? = ?", "Ghent"), filter("km", "? > ?", 1)]);
    await share("Users", bob.userId, []);
    assert.is(await sumAs(bob), 4);
    await unshare("Users", bob.userId);
    assert.is(await sumAs(bob), 4);
    await unshare("Groups", group);
    assert.is((await refusal(answerTo(bob, sum()))).code, "RECORD_NOT_FOUND");
  });

  test("share filters do not apply to the dataset's owner, and an invalid filter closes the dataset to all other users", async () => {
    const { ada, bob, make, call, catalog, dataset } = tokens;
    const group = await make(ada, "group");
    for (const { userId } of [ada, bob])
      await call(ada, "group", "associate", { id: group, resource: { role: "Users", id: userId } });
    await share("Groups", group, [filter("tenant", "? = ?", "b")]);
    assert.equal([await sumAs(ada), await sumAs(bob)], [7, 4]);
    for (const filters of [["x"], [{}], [{ ...filter("tenant", "? = ?", "a"), extra: 1 }]]) {
      await catalog
        .knex("securable_group")
        .where({ securable_id: dataset, group_id: group })
        .update({ filters: JSON.stringify(filters) });
      const refused = await refusal(answerTo(bob, sum()));
      assert.equal([refused.code, refused.status], ["ROWS_CLOSED", 403]);
      assert.is(await sumAs(ada), 7);
    }
    await unshare("Groups", group);
  });

  test("a user's own overrides set the parameters of a share, but overrides in the user's tokens do not", async () => {
    const { ada, bob, columns, dataset } = tokens;
    const parameter = (value?: string[]) => ({
      parameter: "metadata.tenants",
      type: "array[hierarchy]",
      value,
    });
    await share("Users", bob.userId, [filter("tenant", "? in ?", parameter())]);
    assert.is((await refusal(answerTo(bob, sum()))).code, "ROWS_CLOSED");
    const own = (value: unknown) => ({
      parameters: new Map([
        ["tenants", { value, sticky: false, sensitive: false, clear: value === undefined }],
      ]),
      accountOverrides: new Map(),
      metadata: undefined,
      issuer: ada,
    });
    assert.is(await sumAs({ ...bob, own: own(["b"]) }), 4);
    // Bob issued this token for Ada. Its own values can neither set nor clear the parameters that restrict Bob.
    const made = await embed({ parameter_overrides: { tenants: { clear: true } } });
    const ofBob = (issuer: Principal): Principal => {
      const { restriction } = made;
      if (!restriction) throw new Error("the token is not restricted");
      return { ...made, restriction: { ...restriction, issuer: issuer } };
    };
    assert.is(await sumAs(made), 7);
    assert.is((await refusal(answerTo(ofBob(bob), sum()))).code, "ROWS_CLOSED");
    assert.is(await sumAs(ofBob({ ...bob, own: own(["b"]) })), 4);
    await share("Users", bob.userId, [filter("tenant", "? in ?", parameter(["a"]))]);
    assert.equal([await sumAs(bob), await sumAs(ofBob(bob))], [3, 3]);
    const reference = { dataset_id: dataset, column_id: columns["tenant"] };
    assert.is((await answerTo(ofBob(bob), { dimensions: [reference] })).data.length, 1);
    await unshare("Users", bob.userId);
  });

  test("each row filter records who set it, and duplicate filters apply once", async () => {
    const { ada, bob, make, call, dataset, catalog } = tokens;
    const group = await make(ada, "group");
    await call(ada, "group", "associate", {
      id: group,
      resource: { role: "Users", id: bob.userId },
    });
    const same = filter("tenant", "? = ?", "a");
    await fill([filter("city", "? = ?", "Ghent")]);
    await share("Users", bob.userId, [same]);
    await share("Groups", group, [same, filter("km", "? > ?", 0)]);
    const find = createRowFilters(catalog);
    const filtersOf = async (principal: Principal) =>
      (await find(principal, dataset)).map(({ setBy = "token", column_id }) => [setBy, column_id]);
    const { city, km, tenant } = tokens.columns;
    assert.equal(
      (await filtersOf(bob)).toSorted(),
      [
        ["share", km],
        ["share", tenant],
      ].toSorted(),
    );
    assert.equal(await filtersOf(ada), []);
    assert.equal(await filtersOf(await embed({ filters: [same] })), [
      ["token", tenant],
      ["filter_group", city],
    ]);
    await fill([]);
    await unshare("Users", bob.userId);
    await unshare("Groups", group);
  });

  test("the filters of an integration apply to its users and their tokens", async () => {
    const { ada, bob, make, call, mint, whoIs } = tokens;
    const integration = await make(ada, "integration");
    await share("Integrations", integration, [filter("tenant", "? = ?", "a")]);
    const sso = await whoIs(await mint({ type: "sso", integration_id: integration }));
    assert.is(await sumAs(sso), 3);
    await call(ada, "integration", "associate", {
      id: integration,
      resource: { role: "Users", id: bob.userId },
      properties: { flagRead: true, flagUse: true },
    });
    assert.equal([await sumAs(bob), await sumAs(ada)], [3, 7]);
    assert.is(await sumAs(await embed()), 7);
    await unshare("Integrations", integration);
  });

  test("a connection uses a token's overrides only while the token's issuer owns the connection", async () => {
    const { ada, bob, records, columns, mint, whoIs, catalog } = tokens;
    const account = await records.insert("account", { provider: "p", user_id: ada.userId });
    const live = await records.insert("securable", {
      type: "dataset",
      storage: "client",
      source_sheet: "public.trips",
      account_id: account.id,
      owner_id: ada.userId,
    });
    await records.insert("column", {
      securable_id: live.id,
      type: "numeric",
      order: 0,
      user_id: ada.userId,
      source_name: columns["km"],
    });
    const [km] = await records.find("column", { securable_id: live.id });
    store.fill("north.trips_2024", [{ id: String(columns["km"]), type: "numeric" }], [[9]]);
    const query = { measures: [{ dataset_id: live.id, column_id: km?.id }] };
    const self = await whoIs(
      await mint({
        access: { datasets: [{ id: live.id }] },
        account_overrides: {
          [account.id.toUpperCase()]: {
            host: "a",
            user: "u",
            properties: { region: "eu", zone: "1" },
            datasets: {
              [live.id]: {
                host: "b",
                schema: "north",
                table: "trips_2024",
                properties: { zone: "2" },
              },
            },
          },
        },
      }),
    );
    opened.length = 0;
    assert.equal((await answerTo(self, query)).data, [[9]]);
    assert.equal(opened, [
      [
        account.id,
        {
          host: "b",
          user: "u",
          schema: "north",
          table: "trips_2024",
          properties: {
            region: "eu",
            zone: "2",
          },
        },
      ],
    ]);
    await catalog.knex("account").where({ id: account.id }).update({ user_id: bob.userId });
    assert.is((await refusal(answerTo(self, query))).code, "FORBIDDEN");
    assert.is(opened.length, 1);
  });
});
