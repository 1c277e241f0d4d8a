import type { Principal } from "../../../../core/base/contracts/index.ts";
import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { children, openTenantsFor, samples } from "../openTenants.ts";

type Json = Record<string, unknown>;

suite("core/resources/automation/alert", (test) => {
  const tenants = openTenantsFor(test);

  test("an alert accepts every form of its frequency that clients send, and always returns the same form", async () => {
    const { ada, call } = tenants;
    const base = await tenants.properties(ada, "alert");
    const forms: [unknown, Json][] = [
      [
        { unit: "week", quantity: 2 },
        { unit: "week", quantity: 2 },
      ],
      ['{"unit":"month","quantity":1}', { unit: "month", quantity: 1 }],
      ["day", { unit: "day", quantity: 1 }],
      ["daily", { unit: "day", quantity: 1 }],
      ["Weekly", { unit: "week", quantity: 1 }],
      ["yearly", { unit: "year", quantity: 1 }],
      ["1 day", { unit: "day", quantity: 1 }],
      [" 2 weeks ", { unit: "week", quantity: 2 }],
      ["months", { unit: "month", quantity: 1 }],
      ['"weekly"', { unit: "week", quantity: 1 }],
    ];
    for (const [frequency, kept] of forms) {
      const alert = await call(ada, "alert", "create", { properties: { ...base, frequency } });
      assert.equal(alert["frequency"], kept);
      assert.is(alert["user_id"], ada.userId);
    }
    for (const frequency of [
      "often",
      "{",
      "[]",
      "0 days",
      "1.5 days",
      "day 1",
      "-1 day",
      "dayly",
      "2 daily",
      "1 decade",
      "100001 days",
      {},
      { unit: "day" },
      { unit: "day", quantity: 0 },
      { unit: "day", quantity: 1.5 },
      { unit: "decade", quantity: 1 },
      { unit: "hour", quantity: 1, more: 1 },
      5,
    ])
      assert.match(
        await tenants.refusedBy("alert", { ...base, frequency }),
        /properties\.frequency/,
        JSON.stringify(frequency),
      );
  });

  test("an alert is created together with its channels, or not at all", async () => {
    const { ada, call, refusal, rows, records } = tenants;
    const channels = [
      samples["channel"],
      { type: "email", config: { recipients: [{ email: "a@example.org" }] } },
    ];
    const base = await tenants.properties(ada, "alert");
    const alert = await call(ada, "alert", "create", { properties: { ...base, channels } });
    const [row] = await rows(ada, "alert", {
      where: { id: alert.id },
      include: [{ model: "Channel" }],
    });
    const made = children(row, "channels");
    assert.equal(made.map(({ type }) => type).toSorted(), ["email", "webhook"]);
    assert.equal(made.find(({ type }) => type === "webhook")?.["config"], {
      url: null,
      secret: null,
      text: "Hello",
    });
    const before = (await records.find("channel", {})).length;
    const bad = [...channels, { type: "pigeon" }];
    const { message } = await refusal(ada, "alert", "create", {
      properties: { ...base, name: "bad", channels: bad },
    });
    assert.match(message, /properties\.channels\[2\]\.type/);
    assert.is((await records.find("channel", {})).length, before);
    assert.equal(
      (await records.find("alert", {})).filter(({ name }) => name === "bad"),
      [],
    );
  });

  /** Creates a dataset of an owner with a numeric, a datetime and a string column. */
  const datasetOf = async (owner: Principal) => {
    const { records } = tenants;
    const { id } = await records.insert("securable", { type: "dataset", owner_id: owner.userId });
    const column = async (type: string, order: number) => {
      const values = { type, order, user_id: owner.userId, securable_id: id };
      return { dataset_id: id, column_id: (await records.insert("column", values)).id };
    };
    return {
      id,
      amount: await column("numeric", 0),
      day: await column("datetime", 1),
      city: await column("hierarchy", 2),
    };
  };

  test("an alert's query is refused unless the alert's user may run it", async () => {
    const { ada, bob, call, refusal } = tenants;
    const { amount, day, city } = await datasetOf(ada);
    const { amount: other } = await datasetOf(ada);
    const sum = { ...amount, aggregation: { type: "sum" } };
    const base = await tenants.properties(ada, "alert");
    const good: Json = {
      measures: [sum],
      dimensions: [city, { ...day, level: 3 }],
      where: [
        { expression: "? in ?", parameters: [city, ["Ghent", "Namur"]] },
        {
          expression: "? in ?",
          parameters: [city, { parameter: "metadata.city", type: "array[hierarchy]" }],
        },
        { expression: "? > ?", parameters: [amount, { parameter: "least", type: "numeric" }] },
        { expression: "last_available", parameters: [day, { unit: 5, quantity: 1 }] },
      ],
      having: [{ expression: "? > ?", parameters: [sum, 10] }],
      context: { origin: "dashboard" },
      options: { timezone_id: "Europe/Brussels" },
    };
    for (const query of [good, { measures: [sum] }]) {
      const properties = { ...base, query };
      const checked = await call(ada, "alert", "validate", { properties });
      assert.is(checked["valid"], true);
      assert.equal((await call(ada, "alert", "create", { properties }))["query"], query);
    }
    const missing = { dataset_id: amount.dataset_id, column_id: randomUUID() };
    const unknown = { dataset_id: randomUUID(), column_id: amount.column_id };
    const id = await tenants.make(ada, "alert");
    const bad: [Json, RegExp][] = [
      [{}, /properties\.query\.dimensions/],
      [{ measures: [] }, /properties\.query\.dimensions/],
      [{ ...good, nonsense: 1 }, /properties\.query\.nonsense/],
      [{ measures: "all" }, /properties\.query\.measures/],
      [{ measures: [missing] }, /properties\.query\.measures\[0\]\.column_id/],
      [{ measures: [unknown] }, /properties\.query\.measures\[0\]\.dataset_id/],
      [{ measures: [sum, other] }, /properties\.query cannot be joined/],
      [{ measures: [{ ...amount, aggregation: { type: "guess" } }] }, /measures\[0\]\.aggregation/],
      [
        { ...good, where: [{ expression: "? resembles ?", parameters: [city, "x"] }] },
        /properties\.query\.where\[0\]\.expression/,
      ],
      [
        { ...good, having: [{ expression: "? > ?", parameters: [sum, "much"] }] },
        /properties\.query\.having\[0\]\.parameters\[1\]/,
      ],
      [
        {
          ...good,
          where: [{ expression: "? > ?", parameters: [amount, { parameter: "p", type: "x" }] }],
        },
        /properties\.query\.where\[0\]\.parameters\[1\]\.type/,
      ],
      [
        { measures: [{ formula_id: randomUUID() }] },
        /properties\.query\.measures\[0\]\.formula_id/,
      ],
      [{ ...good, options: { timezone_id: "Moon" } }, /properties\.query\.options\.timezone_id/],
    ];
    for (const [query, place] of bad) {
      const text = JSON.stringify(query);
      const created = await refusal(ada, "alert", "create", { properties: { ...base, query } });
      assert.equal([created.status, created.validation], [400, { query: [created.message] }], text);
      assert.match(created.message, place, text);
      const updated = await refusal(ada, "alert", "update", { id, properties: { query } });
      assert.equal([updated.status, updated.message], [400, created.message], text);
      for (const body of [{ properties: { ...base, query } }, { id, properties: { query } }]) {
        const checked = await call(ada, "alert", "validate", body);
        assert.equal([checked["valid"], checked["message"]], [false, created.message], text);
      }
    }
    const unread = await refusal(bob, "alert", "create", { properties: { ...base, query: good } });
    assert.is(unread.status, 400);
    assert.match(
      unread.message,
      /properties\.query\.\w+\[0\]\.dataset_id .*do not have access to it/,
    );
    await call(ada, "alert", "update", { id, properties: { name: "Renamed" } });
  });

  test("an alert's query may join linked datasets, and the host checks the query without a call to their sources", async () => {
    const { ada, call, refusal } = tenants;
    const [sales, cities] = [await datasetOf(ada), await datasetOf(ada)];
    const query = {
      dimensions: [cities.city],
      measures: [{ ...sales.amount, aggregation: { type: "sum" } }],
    };
    const properties = { ...(await tenants.properties(ada, "alert")), query };
    assert.match((await refusal(ada, "alert", "create", { properties })).message, /joined/);
    await call(ada, "column", "associate", {
      id: sales.city.column_id,
      resource: { role: "Joins", id: cities.city.column_id },
    });
    assert.equal((await call(ada, "alert", "create", { properties }))["query"], query);
  });

  test("an alert's query may read an inner query, which the host checks too", async () => {
    const { ada, call, refusal } = tenants;
    const { amount, city } = await datasetOf(ada);
    const base = await tenants.properties(ada, "alert");
    const of = (column_id: string) => ({ dataset_id: "from", column_id });
    const withInner = (inner: Json, column_id: string) => ({
      from: { query: { dimensions: [city], measures: [inner] }, columns: ["city", "total"] },
      measures: [{ ...of(column_id), aggregation: "max" }],
    });
    const query = withInner(amount, "total");
    const properties = { ...base, query };
    assert.equal((await call(ada, "alert", "create", { properties }))["query"], query);
    const missing = { ...amount, column_id: randomUUID() };
    for (const [wrong, place] of [
      [withInner(missing, "total"), /query\.from\.query\.measures\[0\]\.column_id names a column/],
      [withInner(amount, "sum"), /query\.measures\[0\]\.column_id names a column/],
    ] as const) {
      const failure = await refusal(ada, "alert", "create", {
        properties: { ...base, query: wrong },
      });
      assert.match(failure.message, place);
    }
  });

  test("an alert's query over a live dataset is checked without a call to its source", async () => {
    const { ada, call, refusal, records } = tenants;
    const { id, amount } = await datasetOf(ada);
    await records.change("securable", id, { storage: "client", source_sheet: "public.sales" });
    const base = await tenants.properties(ada, "alert");
    const query = { measures: [amount] };
    await call(ada, "alert", "create", { properties: { ...base, query } });
    const wrong = { measures: [{ ...amount, aggregation: { type: "median" }, level: 12 }] };
    const { status } = await refusal(ada, "alert", "create", {
      properties: { ...base, query: wrong },
    });
    assert.is(status, 400);
  });

  test("creating an alert also checks the config of the channels that the same call creates", async () => {
    const { ada, call, refusal } = tenants;
    const channels = [
      samples["channel"],
      { type: "email", config: { recipients: "a@example.org" } },
    ];
    const properties = { ...(await tenants.properties(ada, "alert")), channels };
    const { message } = await refusal(ada, "alert", "create", { properties });
    assert.match(message, /properties\.channels\[1\]\.config\.recipients/);
    assert.is((await call(ada, "alert", "validate", { properties }))["valid"], false);
  });

  test("only an owner of the organization can take over another user's alert", async () => {
    const { ada, ben, bob, eve, call, refusal, make, records, addUser } = tenants;
    const peer = await addUser(ada, "peer", {}, { flagOwn: true, flagEditor: true });
    const id = await make(bob, "alert");
    const own = await make(bob, "channel");
    const shared = await make(bob, "channel");
    const sharing = { channel_id: shared, user_id: ada.userId };
    await tenants.catalog.knex("channel_user").insert(sharing);
    for (const channel of [own, shared])
      await call(bob, "alert", "associate", { id, resource: { role: "Channels", id: channel } });
    const to = ({ userId }: Principal) => ({ id, resource: { role: "User", id: userId } });
    const userOf = async () => (await records.find("alert", { id }))[0]?.["user_id"];
    assert.is((await call(bob, "alert", "associate", to(bob)))["user_id"], bob.userId);
    for (const [caller, target, status] of [
      [bob, ben, 403],
      [bob, ada, 403],
      [ben, ben, 403],
      [ben, bob, 403],
      [ada, ben, 403],
      [ada, bob, 403],
      [ada, peer, 403],
      [eve, eve, 404],
      [ada, eve, 404],
    ] as const) {
      const refused = await refusal(caller, "alert", "associate", to(target));
      assert.is(refused.status, status, `${caller.name} transfers it to ${target.name}`);
      assert.is(await userOf(), bob.userId);
    }
    const associations = [{ role: "User", id: ada.userId }];
    const properties = await tenants.properties(bob, "alert");
    const given = await refusal(bob, "alert", "create", { properties, associations });
    assert.is(given.status, 403);
    assert.is((await refusal(bob, "alert", "dissociate", to(bob))).status, 409);
    assert.is((await call(ada, "alert", "associate", to(ada)))["user_id"], ada.userId);
    const [row] = await tenants.rows(ada, "alert", {
      where: { id },
      include: [{ model: "Channel" }],
    });
    assert.equal(
      children(row, "channels").map((channel) => channel["id"]),
      [shared],
    );
    assert.equal(await tenants.rows(bob, "alert", { where: { id } }), []);
  });

  test("an alert whose query always returns a row causes a warning", async () => {
    const { ada, call } = tenants;
    const base = await tenants.properties(ada, "alert");
    const { measures } = base["query"] as { readonly measures: readonly Json[] };
    const warnings = [
      "query always returns one row, so the alert always fires; add a condition in having, or dimensions",
    ];
    const made = await call(ada, "alert", "create", {
      properties: { ...base, query: { measures } },
    });
    assert.equal(made["warnings"], warnings);
    const having = [{ expression: "? > ?", parameters: [measures[0], 1] }];
    const id = made.id;
    const conditional = { id, properties: { query: { measures, having } } };
    assert.is((await call(ada, "alert", "update", conditional))["warnings"], undefined);
    const tried = { id, properties: { query: { measures } } };
    assert.equal((await call(ada, "alert", "validate", tried))["warnings"], warnings);
    const renamed = { id, properties: { name: { en: "x" } } };
    assert.is((await call(ada, "alert", "update", renamed))["warnings"], undefined);
  });

  test("an alert keeps the state of its dashboard if a link can hold it", async () => {
    const { ada, call, refusedBy } = tenants;
    const dashboard = await call(ada, "securable", "create", {
      properties: { type: "dashboard", name: { en: "D" }, contents: {} },
    });
    const base = await tenants.properties(ada, "alert");
    const ofDashboard = { ...base, securable_id: dashboard.id };
    const state = {
      version: 1,
      filters: { city: { values: ["Ghent", null] } },
      selections: { sales: [["north", 1]] },
      parameters: { region: "west" },
    };
    const made = await call(ada, "alert", "create", {
      properties: { ...ofDashboard, dashboard_state: state },
    });
    assert.equal(made["dashboard_state"], state);
    const values = Array.from({ length: 300 }, (_, at) => `City ${at}`);
    for (const [wrong, reason] of [
      [{}, "must be the state of a dashboard"],
      [{ version: 2 }, "must be the state of a dashboard"],
      [{ version: 1, filters: { city: { values: [{}] } } }, "filters.city cannot be read"],
      [{ version: 1, filters: { city: 1 } }, "filters.city cannot be read"],
      [{ version: 1, views: {} }, "views cannot be read"],
      [{ version: 1, drills: { a: 1, b: 2, c: 3, d: 4 } }, "drills.c and 1 more cannot be read"],
      [{ version: 1, filters: { city: { values } } }, "a link of 1800 characters, not"],
    ] as const) {
      const message = await refusedBy("alert", { ...ofDashboard, dashboard_state: wrong });
      assert.match(message, /properties\.dashboard_state/);
      assert.ok(message.includes(reason), message);
    }
    assert.match(
      await refusedBy("alert", { ...base, dashboard_state: state }),
      /needs securable_id/,
    );
    const without = { id: made.id, properties: { dashboard_state: null } };
    assert.is((await call(ada, "alert", "update", without))["dashboard_state"], null);
  });
});
