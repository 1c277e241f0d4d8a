import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { operationOf } from "../../../../core/http/openapi/operationOf.ts";
import { actions } from "../../../../core/base/contracts/index.ts";
import { declarations } from "../../../../core/resources/index.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom } from "../../../support/random.ts";
import { openWorld } from "../../../support/everyAction.ts";
import { refused } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";

type Json = Record<string, unknown>;

suite("core/host with unknown members", (test) => {
  let world: Awaited<ReturnType<typeof openWorld>>;
  let operations: readonly (readonly [resource: string, action: string])[];
  const random = createRandom();
  const name = () => `x_${random.below(1e9).toString(36)}`;
  const call = (resource: string, body: Json) => world.call(resource, body);
  const said = async (resource: string, body: Json): Promise<string> => {
    return call(resource, body).then(
      (answer) => `200 ${JSON.stringify(answer)}`,
      (failure: Error) => failure.message,
    );
  };

  test.before(async () => {
    world = await openWorld();
    operations = await world.operations();
  });
  test.after(() => world.close());

  test("the error for an unknown member of a body names the member, for every action of every resource", async () => {
    assert.ok(operations.length > 150, String(operations.length));
    const some = operations.filter((_, index) => index % 5 === 0);
    for (const [resource, action] of rounds({ quick: some, deep: operations })) {
      const member = name();
      const text = await said(resource, { action, [member]: 1 });
      assert.match(text, new RegExp(`"MEMBER_UNKNOWN".*${member}`), `${action} ${resource}`);
    }
  });

  test("the error for an unknown property names its path, for every action", async () => {
    let count = 0;
    for (const [resource, action] of operations) {
      const known = actions.find((each) => each === action);
      const members = known && operationOf(resource, known, declarations)?.members;
      // The properties of an alert draft contain the members of an alert.
      if (
        !members?.["properties"] ||
        (resource === "alert" && !["create", "update"].includes(action))
      )
        continue;
      if (action === "associate") continue;
      count++;
      if (count % rounds({ quick: 4, deep: 1 }) > 0) continue;
      const member = name();
      const [row] = declarations.has(resource)
        ? (await world.owner.get(resource, { limit: 1 })).rows
        : [];
      const id = row?.["id"] ?? randomUUID();
      if (action !== "create" && declarations.has(resource) && !row) continue;
      const body: Json = {
        action,
        properties: { [member]: { a: 1 } },
        ...(action !== "create" && { id }),
      };
      const text = await said(resource, body);
      // The host's own themes and countries have no owner.
      if (text.includes('"FORBIDDEN"')) continue;
      assert.match(text, `properties.${member}`, `${action} ${resource}: ${text}`);
      if (action !== "validate") assert.match(text, '"code":400', `${action} ${resource}: ${text}`);
    }
    assert.ok(count > 60, String(count));
  });

  test("the error for an unknown member suggests a known member with a similar name", async () => {
    const text = await said("tag", { action: "create", properties: { tag: "x", tagg: "x" } });
    assert.match(text, /properties\.tagg is unknown; known members: .*\(did you mean tag\?\)/);
  });

  test("creating an API token with members of other token types fails, and the error says why", async () => {
    for (const [member, value, reason] of [
      ["user_id", randomUUID(), /acts as the user who creates it/],
      ["maker_id", randomUUID(), /is unknown/],
      ["access", { datasets: [] }, /types embed, sso and temporary/],
      ["name", "Ada", /types embed, sso and temporary/],
      ["locale_id", "fr", /types embed, sso and temporary/],
    ] as const) {
      const properties = { type: "api", [member]: value };
      const text = await said("authorization", { action: "create", properties });
      assert.match(text, '"code":400', member);
      assert.match(text, reason, member);
    }
  });

  test("creating an embed token accepts and reports obsolete members, unless they look like a restriction", async () => {
    const { key, token } = world.pair;
    const create = (properties: Json) =>
      fetch(`${world.url}/0.1.0/authorization`, {
        method: "POST",
        body: JSON.stringify({
          action: "create",
          key,
          token,
          properties: { type: "embed", username: "u", ...properties },
        }),
      });
    const accepted = await create({ obsolete_widget: 1 });
    assert.is(accepted.status, 200, await accepted.clone().text());
    assert.is(accepted.headers.get("x-unknown-attributes"), "authorization.obsolete_widget");
    for (const member of [
      "filter",
      "acces",
      "hidden_column",
      "row_filters",
      "rls_filter",
      "valid_origins",
      "readonly",
    ]) {
      const refused = await create({ [member]: [] });
      assert.is(refused.status, 400, member);
    }
  });

  test("creating a share with a dashboard id fails, and the error suggests an association", async () => {
    const properties = { securable_id: randomUUID() };
    const text = await said("share", { action: "create", properties });
    assert.match(text, /properties\.securable_id.*associate the record through the role Securable/);
    assert.match(
      await said("share", { action: "create", properties: { securable_id: null } }),
      /^200/,
    );
  });

  test("explaining an organization fails if the body contains an id", async () => {
    const text = await said("organization", { action: "explain", id: randomUUID() });
    assert.match(text, "id is unknown; known members: none");
  });

  test("unknown members of links, targets, lists and options are refused", async () => {
    const { owner } = world;
    const { id } = await owner.create<{ id: string }>("securable", { type: "dashboard" });
    const tag = await owner.create<{ id: string }>("tag", { tag: name() });
    const group = await owner.create<{ id: string }>("group", { name: name() });
    const user = await owner.create<{ id: string }>("user", { email: `${name()}@example.org` });
    const target = { role: "Tags", id: tag.id };
    for (const [resource, body, path] of [
      [
        "securable",
        { action: "associate", id, resource: { ...target, right: 1 } },
        "resource.right",
      ],
      [
        "securable",
        { action: "associate", id, resource: target, properties: { flagRead: true } },
        "properties.flagRead",
      ],
      [
        "securable",
        {
          action: "associate",
          id,
          resource: { role: "Groups", id: group.id },
          properties: { flagread: true },
        },
        "properties.flagread",
      ],
      [
        "securable",
        { action: "dissociate", id, resource: target, properties: { a: 1 } },
        "properties",
      ],
      [
        "tag",
        {
          action: "create",
          properties: { tag: "t" },
          associations: [{ role: "Securables", id, rights: 1 }],
        },
        "associations[0].rights",
      ],
      ["alert", { action: "test", id, options: { delivr: "me" } }, "options.delivr"],
      ["authorization", { action: "explain", id, options: { tokn: true } }, "options.tokn"],
      [
        "data",
        {
          action: "create",
          properties: { type: "create", data: [[1]], options: { heder: ["a"] } },
        },
        "properties.options.heder",
      ],
      [
        "hierarchy",
        { action: "update", id, properties: { updates: [{ id: "x", colour: "#fff" }] } },
        "properties.updates[0].colour",
      ],
      [
        "dataprovider",
        { action: "create", properties: { account_id: id, tables: [{ table: "t", shema: "s" }] } },
        "properties.tables[0].shema",
      ],
      ["job", { action: "get", find: { where: { stat: "waiting" } } }, "find.where.stat"],
      [
        "user",
        { action: "delete", id: user.id, properties: { succesor_id: id } },
        "properties.succesor_id",
      ],
    ] as const) {
      const text = await said(resource, body);
      assert.match(text, '"MEMBER_UNKNOWN"', `${path}: ${text}`);
      assert.ok(text.includes(path), `${path}: ${text}`);
    }
  });

  test("queries in exports accept exactly the same members as queries of data", async () => {
    const { rows } = await world.owner.create<{
      rows: { id: string; columns: { id: string }[] }[];
    }>("data", { type: "create", data: [["Ghent"]], options: { header: ["city"] } });
    const [dataset] = rows;
    const dimension = { dataset_id: dataset?.id, column_id: dataset?.columns[0]?.id };
    const options = { locale_id: "nl", rollup_data: true, synchronized: true };
    const query = { dimensions: [dimension], options, context: { chart_id: "c" } };
    const call = (given: Json) =>
      world.call(
        "dataexport",
        { action: "create", properties: { type: "csv", query: given } },
        "text",
      );
    assert.match(String(await call(query)), "Ghent");
    const failure = await call({ ...query, mesures: [] }).catch(({ message }: Error) => message);
    assert.match(String(failure), /mesures.*did you mean|mesures is unknown/);
  });

  test("a frequency accepts only unit and quantity", async () => {
    const load = { load_type: "full" };
    const schedule = { frequency_unit: "day", frequency_quantity: 1, at: "06:00" };
    for (const [resource, properties, path] of [
      ["acceleration", { ...load, schedule }, "properties.schedule"],
      ["alert", { frequency: { unit: "day", quantity: 1, at: 6 } }, "properties.frequency"],
    ] as const) {
      const text = await said(resource, { action: "validate", properties });
      assert.match(text, '"valid":false');
      assert.match(text, path);
    }
  });

  test("a record that is sent back unchanged is accepted", async () => {
    const { owner } = world;
    const made = await owner.create<Json & { id: string }>("securable", {
      type: "dashboard",
      name: { en: "D" },
    });
    const { rows } = await owner.get("securable", { where: { id: made.id } });
    const [read] = rows;
    assert.ok(read);
    const updated = await owner.update<Json>("securable", made.id, { ...read, name: { en: "E" } });
    assert.equal(updated["name"], { en: "E" });
    const again = await owner.update<Json>("securable", made.id, { ...read, name: { en: "F" } });
    assert.equal(again["name"], { en: "F" }, "instants set by the host may be outdated");
    const moved = { ...read, owner_id: randomUUID() };
    const failure = await refused(owner.update("securable", made.id, moved));
    assert.match(failure.message, /properties\.owner_id/);
  });

  test("the host accepts calls in the forms that Terraform and the SDKs send", async () => {
    const { owner } = world;
    const name = { en: "T" };
    const sent: Json = {
      name,
      type: "dataset",
      description: name,
      sub_title: { en: null },
      sub_type: "",
      source_dataset: "",
      source_sheet: "",
      transformation: null,
      cache: 0,
      update_metadata: false,
      meta_sync_interval: 1,
      meta_sync_inherit: true,
      meta_sync_enabled: true,
    };
    const made = await owner.create<Json & { id: string }>("securable", sent);
    const changes: Json = { name, sub_title: name, sub_type: "", cache: 0, update_metadata: false };
    await owner.update<Json>("securable", made.id, changes);
    const expression = { expression: "1 + 1" };
    for (const properties of [expression, { ...expression, explain_error: true }])
      assert.match(
        await said("column", { action: "validate", resource: properties, properties }),
        /^200/,
      );
    for (const body of [
      { action: "create", properties: { tag: "py" }, associations: {}, options: null },
      { action: "get", find: null, properties: {} },
    ])
      assert.match(await said("tag", body), /^200/);
  });
});
