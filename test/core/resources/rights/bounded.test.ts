import * as assert from "uvu/assert";
import { rights, type Principal, type Right } from "../../../../core/base/contracts/index.ts";
import { restrictedActions } from "../../../../core/identity/access/index.ts";
import { declarations } from "../../../../core/resources/index.ts";
import { suite } from "../../../support/suite.ts";
import { openTokens, type Tokens } from "../../identity/access/openTokens.ts";

suite("core/resources/rights/bounded", (test) => {
  let tokens: Tokens;
  test.before(async () => {
    tokens = await openTokens();
  });
  test.after(() => tokens.close());

  const embed = async (properties: Readonly<Record<string, unknown>> = {}): Promise<Principal> =>
    tokens.whoIs(await tokens.mint(properties));
  const idsOf = async (principal: Principal, resource: string, find: object = {}) =>
    (await tokens.rows(principal, resource, find)).map(({ id }) => id).toSorted();
  const highest = async (principal: Principal, id: string): Promise<Right | undefined> => {
    let held: Right | undefined;
    for (const right of rights)
      if ((await tokens.records.visible("securable", [id], right, principal)).size > 0)
        held = right;
    return held;
  };

  test("an embed token sees only the records of its issuer that the token names", async () => {
    const { dataset, dashboard } = tokens;
    const self = await embed({
      access: { datasets: [{ id: dataset.toUpperCase() }], dashboards: [{ id: dashboard }] },
    });
    assert.equal(await idsOf(self, "securable"), [dashboard, dataset].toSorted());
    assert.equal(await idsOf(self, "column"), Object.values(tokens.columns).toSorted());
    assert.equal(await idsOf(await embed(), "securable"), []);
  });

  test("an embed token sees no records of resources outside the table of permitted actions", async () => {
    const { ada, make, dataset } = tokens;
    const self = await embed({
      access: { datasets: [{ id: dataset, rights: "own" }] },
      role: "owner",
    });
    let closed = 0;
    for (const [resource] of declarations) {
      if (Object.hasOwn(restrictedActions, resource)) continue;
      const id = await make(ada, resource);
      const seen = await tokens.records.visible(resource, [id], "read", self);
      assert.is(seen.size, 0, resource);
      assert.equal(await idsOf(self, resource), [], resource);
      closed++;
    }
    assert.ok(closed > 10, `${closed} resources`);
  });

  test("through an include, an embed token sees only the records that it could find directly", async () => {
    const { ada, bob, call, dataset, make } = tokens;
    const self = await embed({ access: { datasets: [{ id: dataset }] } });
    const associate = (role: string, id: string) =>
      call(ada, "securable", "associate", { id: dataset, resource: { role, id } });
    await associate("Users", bob.userId);
    await associate("Groups", await make(ada, "group"));
    const tag = await make(ada, "tag");
    await associate("Tags", tag);
    const include = ["User", "Group", "Tag", "Account", "Alert", "EmbedFilterGroup"].map(
      (model) => ({ model }),
    );
    const [seen] = await tokens.rows(self, "securable", {
      include: [...include, { model: "User", as: "Owner" }],
    });
    assert.ok(seen);
    const { users, groups, tags, account, alerts, embedFilterGroups, owner } = seen;
    assert.equal(
      [users, groups, account, alerts, embedFilterGroups, owner],
      [[], [], null, [], [], null],
    );
    assert.equal(
      (tags as { id: string }[]).map(({ id }) => id),
      [tag],
    );
  });

  test("a token sees its own user and no others", async () => {
    const self = await embed({ username: "u-self", name: "Self" });
    assert.equal(await idsOf(self, "user"), [self.userId]);
    const [row] = await tokens.rows(self, "authorization", {
      where: { id: self.authorizationId },
      include: [{ model: "User", include: [{ model: "Group" }] }],
    });
    const user = row?.["user"] as { id: string; groups: unknown[] };
    assert.equal([user.id, user.groups], [self.userId, []]);
  });

  for (const given of rights)
    test(`the role of an embed token limits its right to ${given} a dashboard`, async () => {
      const { dashboard } = tokens;
      const ceilings: readonly [string, Right][] = [
        ["viewer", "use"],
        ["designer", "modify"],
        ["owner", "own"],
      ];
      for (const [role, ceiling] of ceilings) {
        const self = await embed({
          role,
          access: { dashboards: [{ id: dashboard, rights: given }] },
        });
        const expected = rights[Math.min(rights.indexOf(given), rights.indexOf(ceiling))];
        assert.is(await highest(self, dashboard), expected, role);
      }
    });

  test("when an issuer loses a right, an embed token of the issuer loses the right at the next call", async () => {
    const { ada, call, addUser, mint, whoIs, dataset } = tokens;
    const owner = { flagEditor: true, flagOwn: true };
    const zoe = await addUser(ada, "zoe", {}, owner);
    const resource = { role: "Users", id: zoe.userId };
    const share = (properties: object) =>
      call(ada, "securable", "associate", { id: dataset, resource, properties });
    await share({ flagModify: true });
    const access = { datasets: [{ id: dataset, rights: "modify" }] };
    const self = await whoIs(await mint({ role: "owner", access }, zoe));
    assert.is(await highest(self, dataset), "modify");
    await share({ flagRead: true });
    assert.is(await highest(self, dataset), "read");
    await call(ada, "securable", "dissociate", { id: dataset, resource });
    assert.is(await highest(self, dataset), undefined);
    assert.equal(await idsOf(self, "column"), []);
  });

  test("a token with a collection can access the collection's current content, as far as the issuer can", async () => {
    const { ada, eve, call, make, dataset, dashboard, foreignDataset, catalog } = tokens;
    const id = await make(ada, "collection");
    const put = (action: "associate" | "dissociate", securable: string) =>
      call(ada, "collection", action, { id, resource: { role: "Securables", id: securable } });
    await put("associate", dataset);
    const self = await embed({ access: { collections: [{ id, inheritRights: "use" }] } });
    assert.is(await highest(self, dataset), "use");
    assert.equal(await idsOf(self, "collection"), [id]);
    await put("associate", dashboard);
    assert.equal(await idsOf(self, "securable"), [dashboard, dataset].toSorted());
    await put("dissociate", dashboard);
    assert.equal(await idsOf(self, "securable"), [dataset]);
    await catalog
      .knex("collection_securable")
      .insert({ collection_id: id, securable_id: foreignDataset });
    assert.equal(await idsOf(self, "securable"), [dataset]);
    assert.equal(await idsOf(eve, "collection"), []);
    await catalog.knex("collection").where({ id }).update({ user_id: eve.userId });
    assert.equal(await idsOf(self, "securable"), []);
    assert.equal(await idsOf(self, "collection"), []);
  });

  test("an sso token can access the content of its integration, with the integration's rights", async () => {
    const { ada, call, make, dataset, dashboard } = tokens;
    const id = await make(ada, "integration");
    const link = (securable: string, properties: object) =>
      call(ada, "integration", "associate", {
        id,
        resource: { role: "Securables", id: securable },
        properties,
      });
    await link(dataset, { flagUse: true });
    await link(dashboard, { flagModify: true });
    const self = await embed({ type: "sso", integration_id: id });
    assert.is(await highest(self, dataset), "use");
    assert.is(await highest(self, dashboard), "use");
    assert.equal(await idsOf(self, "integration"), [id]);
    await call(ada, "integration", "delete", { id });
    assert.equal(await idsOf(self, "securable"), []);
  });

  test("a column hidden from a token, and everything that depends on the column, appears not to exist", async () => {
    const { ada, call, dataset, columns, rows } = tokens;
    const { id: level } = await call(ada, "hierarchylevel", "create", {
      properties: { name: {}, level: 1 },
    });
    const resource = { role: "Column", id: columns["tenant"] };
    await call(ada, "hierarchylevel", "associate", { id: level, resource });
    const access = { datasets: [{ id: dataset }] };
    const open = await embed({ access });
    assert.equal(await idsOf(open, "hierarchylevel"), [level]);
    for (const hidden of [columns["tenant"], { column_id: columns["tenant"] }]) {
      const self = await embed({ access, hidden_columns: [hidden] });
      assert.equal(await idsOf(self, "column", { where: { id: columns["tenant"] } }), []);
      assert.is((await rows(self, "column")).length, 3);
      assert.equal(await idsOf(self, "hierarchylevel"), []);
      const [seen] = await rows(self, "securable", { include: [{ model: "Column" }] });
      assert.is((seen?.["columns"] as unknown[] | undefined)?.length, 3);
    }
  });

  test("members that describe all rows or their source are null for embed tokens", async () => {
    const { ada, dataset, rows, refusal, catalog } = tokens;
    await catalog
      .knex("securable")
      .where({ id: dataset })
      .update({ source_query: "select canary" });
    const self = await embed({ access: { datasets: [{ id: dataset }] } });
    const [own] = await rows(ada, "securable", { where: { id: dataset } });
    assert.equal([own?.["rows"], own?.["source_query"]], [7, "select canary"]);
    assert.not.match(JSON.stringify(await rows(self, "securable", {})), /canary/);
    const [seen] = await rows(self, "securable", {
      attributes: ["rows", "name"],
      include: [{ model: "Column", attributes: ["cardinality"] }],
    });
    assert.is(seen?.["rows"], null);
    for (const column of (seen?.["columns"] ?? []) as object[])
      assert.is((column as { cardinality: unknown }).cardinality, null);
    for (const find of [
      { where: { rows: { gt: 1 } } },
      { order: [["rows", "asc"]] },
      { where: { source_query: { like: "%canary%" } } },
      { search: { keyphrase: "canary", match_types: ["source_query"] } },
      { include: [{ model: "Column", where: { cardinality: 3 }, jointype: "inner" }] },
    ])
      assert.is(
        (await refusal(self, "securable", "get", { find })).code,
        "MEMBER_UNKNOWN",
        JSON.stringify(find),
      );
  });

  test("a token with an environment reads the dashboard version published to that environment", async () => {
    const { ada, call, dashboard, rows, refusal, make } = tokens;
    const contentsOf = (version: string) => ({ version, views: [] });
    const save = (version: string) =>
      call(ada, "securable", "update", {
        id: dashboard,
        properties: { contents: contentsOf(version), css: `.${version} {}` },
      });
    const access = { dashboards: [{ id: dashboard }] };
    const self = await embed({ access, environment: "production" });
    const seenBy = async (principal: Principal) => {
      const [row] = await rows(principal, "securable", { where: { id: dashboard } });
      return [(row?.["contents"] as { version: string } | null)?.version ?? null, row?.["css"]];
    };
    await save("first");
    assert.equal(await seenBy(self), [null, null]);
    const [version] = await rows(ada, "securableversion", {
      where: { securable_id: dashboard },
      order: [["created_at", "desc"]],
      limit: 1,
    });
    await call(ada, "securableversion", "update", {
      id: version?.id,
      properties: { environment: "production" },
    });
    await save("second");
    assert.equal(await seenBy(self), ["first", ".first {}"]);
    assert.equal(await seenBy(await embed({ access })), ["second", ".second {}"]);
    assert.equal(await seenBy(await embed({ access, environment: "qa" })), [null, null]);
    assert.equal(await seenBy(ada), ["second", ".second {}"]);
    const collection = await make(ada, "collection");
    await call(ada, "collection", "associate", {
      id: collection,
      resource: { role: "Securables", id: dashboard },
    });
    const through = await embed({
      access: { collections: [{ id: collection }] },
      environment: "production",
    });
    const [seen] = await rows(through, "collection", {
      include: [{ model: "Securable", attributes: ["contents"] }],
    });
    const [inner] = (seen?.["securables"] ?? []) as { contents: { version: string } }[];
    assert.is(inner?.contents.version, "first");
    for (const find of [
      { where: { "contents.version": "second" } },
      { where: { css: { like: ".sec%" } } },
      { order: [["css", "asc"]] },
    ])
      assert.is((await refusal(self, "securable", "get", { find })).code, "MEMBER_UNKNOWN");
    const search = { keyphrase: "second", match_types: ["css"] };
    const searched = await refusal(self, "securable", "get", { find: { search } });
    assert.is(searched.code, "MEMBER_UNKNOWN");
  });

  test("an embed token sees the formulas of datasets that it may use", async () => {
    const { ada, call, make, dataset } = tokens;
    const id = await make(ada, "formula");
    const access = { datasets: [{ id: dataset }] };
    const self = await embed({ access });
    assert.equal(await idsOf(self, "formula"), []);
    await call(ada, "securable", "associate", { id: dataset, resource: { role: "Formulas", id } });
    assert.equal(await idsOf(self, "formula"), [id]);
    assert.equal(await idsOf(await embed(), "formula"), []);
  });

  let owning: Promise<Principal> | undefined;
  for (const [resource, { actions, associations }] of declarations)
    test(`${resource}: a token with the role owner cannot call any action on records that it does not name`, async () => {
      const { ada, eve, make, call, dataset, dashboard } = tokens;
      const self = await (owning ??= embed({
        role: "owner",
        access: {
          datasets: [{ id: dataset, rights: "own" }],
          dashboards: [{ id: dashboard, rights: "own" }],
        },
      }));
      const isForAll = ["country", "locale", "currency", "timezone", "theme"].includes(resource);
      for (const who of [ada, eve]) {
        const id = await make(who, resource);
        if (!isForAll) assert.not((await idsOf(self, resource)).includes(id), "seen in a list");
        const [role = "Owner"] = Object.keys(associations);
        for (const action of actions) {
          if (action === "get" || action === "create") continue;
          const target = { role, id: dataset };
          const said = await call(self, resource, action, {
            id,
            properties: {},
            ...(action.endsWith("ssociate") && { resource: target }),
          }).then(
            () => 200,
            (failure: { status?: number }) => failure.status ?? String(failure),
          );
          assert.ok([400, 403, 404].includes(Number(said)), `${action} returned ${said}`);
          assert.is((await tokens.records.find(resource, { id })).length, 1, "it still exists");
        }
      }
    });
});
