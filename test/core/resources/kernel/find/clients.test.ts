import * as assert from "uvu/assert";
import { suite } from "../../../../support/suite.ts";
import { openTenants, type Answer, type Tenants, children } from "../../openTenants.ts";

/** The exact requests of existing clients, including requests for resources that this version no longer has. */
suite("core/resources/kernel/find: requests of existing clients", (test) => {
  let tenants: Tenants;
  let dataset: Answer;
  let dashboard: Answer;
  test.before(async () => {
    tenants = await openTenants();
    const { ada, call } = tenants;
    const named = (type: string) => ({ properties: { type, name: { en: type } } });
    dataset = await call(ada, "securable", "create", named("dataset"));
    dashboard = await call(ada, "securable", "create", named("dashboard"));
    await call(ada, "column", "create", {
      properties: { order: 0, name: { en: "City" } },
      associations: [{ role: "Securable", id: dataset.id }],
    });
  });
  test.after(() => tenants.close());

  test("two nested includes find the groups of a token's user", async () => {
    const { ada, rows } = tenants;
    const found = await rows(ada, "authorization", {
      where: { id: ada.authorizationId },
      attributes: ["id", "integration_id"],
      include: [
        {
          model: "User",
          attributes: ["id", "name", "locale_id"],
          include: [{ model: "Group", attributes: ["id"] }],
        },
      ],
    });
    assert.equal(found, [
      {
        id: ada.authorizationId,
        integration_id: null,
        user: { id: ada.userId, name: ada.name, locale_id: null, groups: [] },
      },
    ]);
  });

  test("a `find` can list dashboards with their tags, users, groups and integrations", async () => {
    const { ada, rows } = tenants;
    const [found] = await rows(ada, "securable", {
      where: { type: "dashboard", is_variant: false },
      attributes: ["id", "name", "modified_at"],
      order: [["modified_at", "desc"]],
      include: [
        { model: "Tag", attributes: ["tag"] },
        { model: "User", attributes: ["id", "name"] },
        { model: "Group", attributes: ["id", "name", "public"] },
        { model: "Integration", attributes: ["id", "name"] },
      ],
    });
    assert.is(found?.id, dashboard.id);
    assert.equal([found?.["tags"], found?.["groups"], found?.["integrations"]], [[], [], []]);
    const [user] = (found?.["users"] ?? []) as {
      id: string;
      securableUser: { flagOwn: boolean };
    }[];
    assert.is(user?.id, ada.userId);
    assert.is(user?.securableUser.flagOwn, true);
  });

  test("a `find` loads a dataset with its formulas and its columns with joins, levels and currency", async () => {
    const { ada, rows } = tenants;
    const [found] = await rows(ada, "securable", {
      where: { id: { in: [dataset.id] } },
      include: [
        {
          model: "Column",
          attributes: ["id", "name", "type", "hidden", "lowestLevel", "duration_levels"],
          separate: true,
          order: [["order", "asc"]],
          include: [
            { model: "Column", as: "Joins" },
            { model: "HierarchyLevel", as: "HierarchyLevels" },
            { model: "Currency", as: "Currency" },
          ],
        },
        { model: "Formula", include: [{ model: "Currency" }] },
      ],
    });
    assert.equal(found?.["formulas"], []);
    const [column] = (found?.["columns"] ?? []) as Record<string, unknown>[];
    assert.equal(
      [column?.["joins"], column?.["hierarchyLevels"], column?.["currency"]],
      [[], [], null],
    );
  });

  test("a `find` lists datasets in pages, with their collections and the plugin of their account", async () => {
    const { ada, rows } = tenants;
    const [found] = await rows(ada, "securable", {
      where: { type: "dataset" },
      limit: 50,
      include: [
        { model: "Collection", where: { favorite: true } },
        {
          model: "Account",
          attributes: ["id", "provider", "name"],
          include: [
            { model: "Plugin", include: [{ model: "Thumbnail", where: { size: "32px" } }] },
          ],
        },
      ],
    });
    assert.equal([found?.["collections"], found?.["account"]], [[], null]);
  });

  test("linked records are returned under the member names that clients expect, and include the link's own members", async () => {
    const { ada, call, rows, make } = tenants;
    const of = async (resource: string, role: string, properties = {}) => {
      const id = await make(ada, resource);
      const body = { id: dataset.id, resource: { role, id }, properties };
      await call(ada, "securable", "associate", body);
      return id;
    };
    const tag = await of("tag", "Tags");
    const group = await of("group", "Groups", { flagUse: true });
    const integration = await of("integration", "Integrations", { flagRead: true, slug: "d" });
    const collection = await of("collection", "Collections");
    const formula = await of("formula", "Formulas");
    const models = ["Tag", "Group", "Integration", "Collection", "Formula"];
    const [found] = await rows(ada, "securable", {
      where: { id: dataset.id },
      include: models.map((model) => ({ model, attributes: ["id"] })),
    });
    const link = (member: string, more: object) => {
      const [linked] = children(found, member);
      const { id, ...rest } = linked ?? {};
      for (const values of Object.values(rest))
        assert.equal(values, { securable_id: dataset.id, ...more }, member);
      return [id, ...Object.keys(rest)];
    };
    assert.equal(link("tags", { tag_id: tag }), [tag, "securableTag"]);
    assert.equal(link("formulas", { formula_id: formula }), [formula, "securableFormula"]);
    assert.equal(link("collections", { collection_id: collection }), [
      collection,
      "collectionSecurable",
    ]);
    const flags = { flagRead: true, flagUse: true, flagModify: false };
    assert.equal(
      link("groups", {
        group_id: group,
        ...flags,
        flagOwn: false,
        published: false,
        filters: null,
      }),
      [group, "securableGroup", "groupAccessRight"],
    );
    assert.equal(
      link("integrations", {
        integration_id: integration,
        ...flags,
        flagUse: false,
        slug: "d",
        filters: null,
      }),
      [integration, "securableIntegration", "integrationAccessRight"],
    );
    const favorite = { model: "Collection", where: { favorite: true } };
    const [none] = await rows(ada, "securable", { where: { id: dataset.id }, include: [favorite] });
    assert.equal(none?.["collections"], []);
    await call(ada, "collection", "update", { id: collection, properties: { favorite: true } });
    const [one] = await rows(ada, "securable", { where: { id: dataset.id }, include: [favorite] });
    assert.is(children(one, "collections").length, 1);
    for (const [id, role] of [
      [tag, "Tags"],
      [group, "Groups"],
      [integration, "Integrations"],
      [collection, "Collections"],
      [formula, "Formulas"],
    ] as const)
      await call(ada, "securable", "dissociate", { id: dataset.id, resource: { role, id } });
  });

  test("an inner include omits datasets without the tag", async () => {
    const { ada, rows } = tenants;
    const inner = { model: "Tag", where: { tag: "sales" }, jointype: "inner" };
    assert.equal(await rows(ada, "securable", { where: { id: dataset.id }, include: [inner] }), []);
  });

  test("the error for an unknown model lists the known models", async () => {
    const { ada, refusal } = tenants;
    const refused = await refusal(ada, "securable", "get", {
      find: { include: [{ model: "Taag" }] },
    });
    assert.is(refused.status, 400);
    assert.match(refused.message, /Taag.*column as Columns/);
  });
});
