import * as assert from "uvu/assert";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import type { Host } from "../../../../core/host.ts";
import { joinSharedHost } from "../../../support/joinSharedHost.ts";
import { send, type RawRequest } from "../../../support/fakeApp.ts";
import { refused } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";

type Json = Record<string, unknown>;
type Made = Json & { readonly id: string };
interface Found {
  readonly count: number;
  readonly rows: readonly Made[];
}

suite("core/host: requests as existing clients send them", (test) => {
  let host: Host;
  let client: Client;
  let pair: { readonly key: string; readonly token: string };
  let dataset: Made & { readonly columns: readonly Made[] };

  /** Sends a body unchanged except for an added key pair. */
  const call = async (resource: string, body: Json, more: RawRequest = {}) => {
    const text = JSON.stringify({ ...body, ...pair });
    const answer = await send(`${host.url}/0.1.0/${resource}`, { body: text, ...more });
    return { ...answer, body: answer.json() as Json & Found };
  };

  test.before(async () => {
    host = await joinSharedHost();
    pair = host.madeCredentials ?? { key: "", token: "" };
    client = createClient({ url: host.url, ...pair });
    const pushed = await client.create<{ rows: (typeof dataset)[] }>("data", {
      type: "create",
      data: [
        ["Ghent", 3],
        ["Lille", 4],
      ],
      options: { header: ["city", "km"] },
    });
    dataset = pushed.rows[0]!;
  });
  test.after(async () => {
    await host.close();
  });

  test("the component kit can load datasets with any combination of attributes", async () => {
    const column = {
      model: "Column",
      attributes: [
        "id",
        "name",
        "type",
        "subtype",
        "format",
        "hidden",
        "lowestLevel",
        "expression",
        "duration_levels",
        "duration_format",
        "stats",
      ],
      separate: true,
      order: [["order", "asc"]],
      include: [
        { model: "Column", as: "Joins", attributes: ["id", "securable_id", "currency_id"] },
        { model: "HierarchyLevel", as: "HierarchyLevels" },
        { model: "Currency", as: "Currency" },
      ],
    };
    const formula = {
      model: "Formula",
      attributes: ["id", "name", "expression", "hidden", "duration_levels", "duration_format"],
      include: [{ model: "Currency", as: "Currency" }],
    };
    const answer = await call("securable", {
      action: "get",
      version: "0.1.0",
      find: {
        where: { id: { in: [dataset.id] }, type: "dataset" },
        attributes: ["id", "name", "slug", "options", "shared", "public"],
        include: [column, formula],
      },
    });
    assert.is(answer.status, 200, answer.text);
    assert.is(
      answer.headers["x-unknown-attributes"],
      "securable.slug, securable.options, securable.shared, securable.public, " +
        "column.stats, formula.hidden, formula.duration_levels, formula.duration_format",
    );
    const [row] = answer.body.rows;
    assert.equal(Object.keys(row ?? {}).toSorted(), ["columns", "formulas", "id", "name"]);
    const [city] = (row?.["columns"] ?? []) as Json[];
    assert.not.ok(Object.hasOwn(city ?? {}, "stats"), "unknown members are not invented");
    assert.is(city?.["duration_format"], "long");
  });

  test("an unknown attribute cannot break the response header that names it", async () => {
    const attributes = ["id", "a\r\nSet-Cookie: x", "é".repeat(200)];
    const answer = await call("column", { action: "get", find: { attributes } });
    assert.is(answer.status, 200);
    assert.match(String(answer.headers["x-unknown-attributes"]), /^column\.a\?\?Set-Cookie\?\?x, /);
    assert.is(answer.headers["set-cookie"], undefined);
    const where = await call("column", { action: "get", find: { where: { stats: 1 } } });
    assert.is(where.status, 400, "ignoring a condition would return other records");
  });

  test("included groups, users and integrations contain their rights under both names that clients read", async () => {
    const group = await client.create<Made>("group", { name: "Readers" });
    const integration = await client.create<Made>("integration", { name: { en: "Portal" } });
    await client.associate(
      "securable",
      dataset.id,
      { role: "Groups", id: group.id },
      { flagUse: true },
    );
    const shared = { role: "Integrations", id: integration.id };
    await client.associate("securable", dataset.id, shared, { flagRead: true });
    const { rows } = await client.get<Found>("securable", {
      where: { id: dataset.id },
      attributes: ["id"],
      include: [
        { model: "User", attributes: ["id"] },
        { model: "Group", attributes: ["id"] },
        { model: "Integration", attributes: ["id"] },
      ],
    });
    const linkOf = (member: string, ...names: string[]) => {
      const [child] = (rows[0]?.[member] ?? []) as Json[];
      return names.map((name) => child?.[name] as Json);
    };
    for (const [member, names, flags] of [
      ["users", ["userAccessRight", "securableUser"], [true, true, true, true]],
      ["groups", ["groupAccessRight", "securableGroup"], [true, true, false, false]],
      [
        "integrations",
        ["integrationAccessRight", "securableIntegration"],
        [true, false, false, undefined],
      ],
    ] as const) {
      const [one, other] = linkOf(member, ...names);
      assert.equal(one, other, member);
      assert.equal(
        ["flagRead", "flagUse", "flagModify", "flagOwn"].map((flag) => one?.[flag]),
        flags,
        member,
      );
    }
  });

  test("empty lists, which PHP sends for empty objects, are accepted wherever an object is expected", async () => {
    const made = await call("embedfiltergroup", {
      action: "create",
      properties: [],
      associations: [],
    });
    assert.is(made.status, 200, made.text);
    const found = await call("embedfiltergroup", { action: "get", find: [] });
    assert.is(found.status, 200, found.text);
    assert.ok(found.body.count >= 1);
    const tag = await client.create<Made>("tag", { tag: "php" });
    for (const body of [
      { action: "update", id: dataset.id, properties: [] },
      { action: "update", id: dataset.id, properties: { custom_metadata: [], name: [] } },
      {
        action: "associate",
        id: dataset.id,
        resource: { role: "Tags", id: tag.id },
        properties: [],
      },
      { action: "get", find: { where: [], search: [], attributes: ["id"], include: [] } },
    ]) {
      const answer = await call("securable", body);
      assert.is(answer.status, 200, JSON.stringify(body) + answer.text);
    }
    const kept = await client.get<Found>("securable", { where: { id: dataset.id } });
    assert.equal([kept.rows[0]?.["custom_metadata"], kept.rows[0]?.["name"]], [{}, {}]);
    const [city, km] = dataset.columns.map(({ id }) => ({
      dataset_id: dataset.id,
      column_id: id,
    }));
    const query = {
      dimensions: [{ ...city, discretization: [] }],
      measures: [{ ...km, aggregation: [] }],
      where: [],
      options: [],
    };
    const answered = await call("data", { action: "get", find: { queries: [query] } });
    assert.is(answered.status, 200, answered.text);
    const pushed = { securable_id: dataset.id, data: [["Namur", 5]], options: [] };
    assert.is((await call("data", { action: "create", properties: pushed })).status, 200);
    const dashboard = await client.create<Made>("securable", {
      type: "dashboard",
      name: { en: "D" },
      contents: { version: "0.1.99", views: [], datasetLinks: [], filters: {} },
    });
    assert.equal((dashboard["contents"] as Json)["filters"], {}, "as Terraform sends it");
    const listed = await call("securable", {
      action: "update",
      id: dataset.id,
      properties: [{ name: { en: "x" } }],
    });
    assert.is(listed.status, 400);
    assert.match(String(listed.body["message"]), /properties.*must be an object, not a list/);
  });

  test("the settings of a dataset can be updated and then read", async () => {
    const settings = {
      cache: 60,
      meta_sync_interval: 24,
      meta_sync_inherit: false,
      meta_sync_enabled: false,
    };
    const updated = await client.update<Json>("securable", dataset.id, settings);
    const { rows } = await client.get<Found>("securable", { where: { id: dataset.id } });
    for (const record of [updated, rows[0]])
      for (const [member, value] of Object.entries(settings))
        assert.is(record?.[member], value, member);
    const refusal = await refused(client.update("securable", dataset.id, { cache: -1 }));
    assert.match(refusal.message, /cache.*0 or more seconds/);
  });

  test("css and contents are always null for datasets, and contents are never null for dashboards", async () => {
    const echoed = { css: ".x{}", contents: null, subtitle: { en: "s" } };
    const updated = await client.update<Json>("securable", dataset.id, echoed);
    assert.equal(
      [updated["css"], updated["contents"], updated["subtitle"]],
      [null, null, { en: "s" }],
    );
    const created = await client.create<Json>("securable", { type: "dataset", css: ".x{}" });
    assert.is(created["css"], null);
    const dashboard = await client.create<Made>("securable", { type: "dashboard" });
    for (const refusing of [
      () => client.update("securable", dashboard.id, { contents: null }),
      () => client.create("securable", { type: "dashboard", contents: null }),
    ]) {
      const refusal = await refused(refusing());
      assert.is(refusal.status, 400);
      assert.match(refusal.message, /properties\.contents/);
    }
  });

  test("updating data without a key fails with 400, and the error explains the key", async () => {
    const properties = { data: [[1]] };
    const refused = await call("data", { action: "update", id: dataset.id, properties });
    assert.is(refused.status, 400, refused.text);
    assert.match(refused.text, /properties\.options/);
    assert.match(refused.text, /a list of the columns that identify a row/);
  });

  test("a call without a required id fails with 400, and the error names the id", async () => {
    const target = { role: "Tags", id: dataset.id };
    for (const [body, member] of [
      [{ action: "update", properties: { name: { en: "x" } } }, "id"],
      [{ action: "delete" }, "id"],
      [{ action: "delete", id: null }, "id"],
      [{ action: "associate", resource: target }, "id"],
      [{ action: "dissociate", resource: target }, "id"],
      [{ action: "associate", id: dataset.id, resource: { role: "Tags" } }, "resource.id"],
    ] as const) {
      const answer = await call("securable", body);
      assert.is(answer.status, 400, answer.text);
      assert.match(String(answer.body["message"]), new RegExp(`^${member} is `));
    }
  });

  test("the error of one failed query in a call has the same form as the error of a failed call", async () => {
    const [city] = dataset.columns;
    const good = { dimensions: [{ dataset_id: dataset.id, column_id: city?.id }] };
    const bad = { dimensions: [{ dataset_id: dataset.id, column_id: dataset.id }] };
    const alone = await call("data", { action: "get", find: { queries: [bad] } });
    const answer = await call("data", { action: "get", find: { queries: [good, bad] } });
    const { request_id, ...expected } = alone.body;
    assert.type(request_id, "string");
    const [, failed] = answer.json() as unknown as [Json, { error: Json; data: unknown }];
    const message = (text: unknown) => String(text).replace(/^queries\[\d+\]\.?/, "");
    assert.equal(
      { ...failed.error, message: message(failed.error["message"]) },
      { ...expected, message: message(expected["message"]) },
    );
    assert.equal(failed.error["type"], {
      code: "QUERY_UNKNOWN_COLUMN",
      description: "Bad Request",
    });
    assert.equal([failed.error["code"], failed.data], [400, []]);
  });

  test("the level that component kits send for a string column is ignored, and level 0 means no level", async () => {
    const refOf = (index: number, level: number) => ({
      dataset_id: dataset.id,
      column_id: dataset.columns[index]?.id,
      level,
    });
    for (const level of [0, 1, 9]) {
      const city = refOf(0, level);
      const answer = await client.get<{ data: unknown[][] }>("data", {
        dimensions: [city],
        measures: [{ ...refOf(1, 0), aggregation: { type: "count" } }],
        where: [{ expression: "? = ?", parameters: [city, "Ghent"] }],
        order: [{ ...city, order: "asc" }],
        options: { cells: "plain", timezone_id: "Europe/Brussels" },
      });
      assert.equal(answer.data, [["Ghent", 1]], String(level));
    }
    const refusal = await refused(client.get("data", { dimensions: [refOf(1, 3)] }));
    assert.match(refusal.message, /only datetime columns have levels/);
  });

  test("creating an account of an unknown provider fails, and the error lists the providers", async () => {
    const create = () => client.create("account", { name: "x", provider: "snowflake" });
    assert.match(
      (await refused(create())).message,
      /"snowflake" is neither a connector .* there are: clickhouse, files, mariadb, mysql, postgresql, rest;/,
    );
    const plugin = { slug: "citybikes", name: { en: "Bikes" }, base_url: "https://example.org" };
    await client.create("plugin", plugin);
    const { status, message } = await refused(create());
    assert.is(status, 400);
    assert.match(message, /there are: citybikes, clickhouse/);
  });

  test("creating an embed token returns the content of its collections, with the right that each entry inherits", async () => {
    const dashboard = await client.create<Made>("securable", { type: "dashboard" });
    const collection = await client.create<Made>("collection", { name: { en: "For embedding" } });
    for (const { id } of [dashboard, dataset])
      await client.associate("collection", collection.id, { role: "Securables", id });
    const create = (access: Json) =>
      client.create<Made & { access: Record<string, Json[]> }>("authorization", {
        type: "embed",
        username: "u-417",
        access,
      });
    const collections = [{ id: collection.id, inheritRights: "use" }];
    const token = await create({ collections });
    assert.equal(token.access, {
      collections,
      dashboards: [{ id: dashboard.id, rights: "use" }],
      datasets: [{ id: dataset.id, rights: "use" }],
    });
    const named = await create({ collections, dashboards: [{ id: dashboard.id, rights: "read" }] });
    assert.equal(named.access["dashboards"], [{ id: dashboard.id, rights: "read" }]);
    const embedded = createClient({ url: host.url, key: token.id, token: String(token["token"]) });
    await client.dissociate("collection", collection.id, {
      role: "Securables",
      id: dashboard.id,
    });
    const seen = await embedded.get<Found>("securable", { where: { type: "dashboard" } });
    assert.is(seen.count, 0, "the collections of a token are resolved again at every call");
  });

  test("a query uses the time zone and language of its token unless the query sets them", async () => {
    const pushed = await client.create<{ rows: (typeof dataset)[] }>("data", {
      type: "create",
      data: [
        ["2024-01-31T23:30:00.000Z", "z"],
        ["2024-02-01T12:00:00.000Z", "é"],
      ],
      options: { header: ["at", "text"] },
    });
    const [made] = pushed.rows;
    const [at, text] = (made?.columns ?? []).map(({ id }) => ({
      dataset_id: made?.id,
      column_id: id,
    }));
    const create = (more: Json) =>
      client.create<Made>("authorization", {
        type: "embed",
        username: "u-418",
        access: { datasets: [{ id: made?.id, rights: "use" }] },
        ...more,
      });
    const token = await create({ timezone_id: "Europe/Brussels", locale_id: "fr" });
    const embedded = createClient({ url: host.url, key: token.id, token: String(token["token"]) });
    const valuesOf = async (by: Client, dimension: unknown, options: Json = {}) => {
      const find = { dimensions: [dimension], options: { cells: "plain", ...options } };
      return (await by.get<{ data: unknown[][] }>("data", find)).data.flat();
    };
    const months = { ...at, level: 3 };
    assert.equal(await valuesOf(embedded, months), ["2024-01-31T23:00:00.000Z"]);
    const inUtc = ["2024-01-01T00:00:00.000Z", "2024-02-01T00:00:00.000Z"];
    assert.equal(await valuesOf(embedded, months, { timezone_id: "UTC" }), inUtc);
    assert.equal(await valuesOf(client, months), inUtc);
    assert.equal(await valuesOf(embedded, text), ["é", "z"]);
    assert.equal(await valuesOf(client, text), ["z", "é"]);
    assert.equal(await valuesOf(client, text, { locale_id: "fr" }), ["é", "z"]);
    for (const wrong of [{ timezone_id: "Mars/Olympus" }, { locale_id: "not a language" }]) {
      const refusal = await refused(create(wrong));
      assert.is(refusal.status, 400);
      assert.match(refusal.message, Object.keys(wrong)[0] ?? "");
    }
  });

  test("a call may omit `find` or `version`, be plain text, override its HTTP method or send associations as an object", async () => {
    for (const [body, more] of [
      [{ action: "get" }, {}],
      [{ action: "get", find: {} }, {}],
      [{ action: "get", find: null }, {}],
      [{ action: "get", version: "0.1.0", find: {} }, { method: "SEARCH" }],
      [{ action: "get" }, { headers: { "Content-Type": "text/plain;charset=UTF-8" } }],
      [{ action: "get" }, { headers: { "Content-Type": "application/json; charset=utf-8" } }],
      [{ action: "get" }, { headers: { "X-HTTP-Method-Override": "PATCH" } }],
      [{ action: "get" }, { method: "PATCH", headers: { Accept: "application/json" } }],
      [{ action: "get" }, { headers: { Accept: "*/*" } }],
      [{ action: "search", find: { attributes: null, include: null, order: null } }, {}],
      [{ action: "get", find: { where: null, search: null, limit: null, offset: null } }, {}],
    ] as const) {
      const answer = await call("organization", body, {
        ...more,
        body: JSON.stringify({ ...body, ...pair }),
      });
      assert.is(answer.status, 200, `${JSON.stringify([body, more])} ${answer.text}`);
      assert.is(answer.body.count, 1);
      assert.match(String(answer.headers["content-type"]), "application/json");
    }
    const tag = await call("tag", {
      action: "create",
      properties: { tag: "odd" },
      associations: {},
    });
    assert.is(tag.status, 200, tag.text);
    for (const body of [
      { action: "update", id: tag.body["id"], properties: { tag: "even" }, associations: [] },
      { action: "delete", id: tag.body["id"], properties: {} },
    ])
      assert.is((await call("tag", body, { method: "UNLINK" })).status, 200);
  });
});
