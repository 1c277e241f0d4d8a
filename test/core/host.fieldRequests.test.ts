import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { createClient, type Client } from "../../core/client.ts";
import { openHost, type Host } from "../../core/host.ts";
import { send, type RawRequest } from "../support/fakeApp.ts";
import { refused } from "../support/refused.ts";
import { suite } from "../support/suite.ts";

type Json = Record<string, unknown>;
type Made = Json & { readonly id: string };
interface Found {
  readonly count: number;
  readonly rows: readonly Made[];
}

suite("core/host with requests as the clients of the field send them", (test) => {
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-field-"));
  let host: Host;
  let client: Client;
  let pair: { readonly key: string; readonly token: string };
  let dataset: Made & { readonly columns: readonly Made[] };

  /** Sends a body as it is, with the pair in it. */
  const call = async (resource: string, body: Json, more: RawRequest = {}) => {
    const text = JSON.stringify({ ...body, ...pair });
    const answer = await send(`${host.url}/0.1.0/${resource}`, { body: text, ...more });
    return { ...answer, body: answer.json() as Json & Found };
  };

  test.before(async () => {
    host = await openHost({ dataDir, port: 0, logLevel: "silent", workers: 1 });
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
    rmSync(dataDir, { recursive: true, force: true });
  });

  test("the component kit loads datasets, whichever attributes it asks for (contract B2)", async () => {
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
    assert.not.ok(Object.hasOwn(city ?? {}, "stats"), "what is not known is not invented");
    assert.is(city?.["duration_format"], "long");
  });

  test("an unknown attribute that is no name of a member cannot break the header (contract B2)", async () => {
    const attributes = ["id", "a\r\nSet-Cookie: x", "é".repeat(200)];
    const answer = await call("column", { action: "get", find: { attributes } });
    assert.is(answer.status, 200);
    assert.match(String(answer.headers["x-unknown-attributes"]), /^column\.a\?\?Set-Cookie\?\?x, /);
    assert.is(answer.headers["set-cookie"], undefined);
    const where = await call("column", { action: "get", find: { where: { stats: 1 } } });
    assert.is(where.status, 400, "a condition that is not applied would answer other records");
  });

  test("included groups, users and integrations carry their rights under both names (contract B4)", async () => {
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

  test("PHP's empty lists are empty objects wherever an object is wanted (contract B5)", async () => {
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
    assert.equal(
      (dashboard["contents"] as Json)["filters"],
      {},
      "as Terraform sends (contract B6)",
    );
    const listed = await call("securable", {
      action: "update",
      id: dataset.id,
      properties: [{ name: { en: "x" } }],
    });
    assert.is(listed.status, 400);
    assert.match(String(listed.body["message"]), /properties.*must be an object, not a list/);
  });

  test("settings of a dataset are set by an update and come back (contract B6)", async () => {
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

  test("a style sheet and contents are null for a dataset, and contents are never null for a dashboard (contract C9)", async () => {
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

  test("a call without the id that it needs is 400 and names it (contract C9)", async () => {
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

  test("one of several queries fails in the shape of a whole call's failure (contract C12)", async () => {
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

  test("envelopes that clients send are read: no find, no version, plain text, an overridden method, an object of associations", async () => {
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
      properties: { tag: "odd", obsolete: 1 },
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
