import * as assert from "uvu/assert";
import { suite } from "../../../../support/suite.ts";
import { openTenants, type Answer, type Tenants } from "../../openTenants.ts";

/** What clients of the field send, member by member, whether or not this version keeps every resource that they name. */
suite("core/resources/kernel/find of clients of the field", (test) => {
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

  test("the groups of the user of a token are asked through two includes", async () => {
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

  test("dashboards are listed with tags, users, groups and integrations", async () => {
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

  test("a dataset is loaded with columns, their joins, levels and currency, and its formulas", async () => {
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

  test("datasets are listed in pages with collections and the account's plugin", async () => {
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

  test("a dataset without the tag is left out by an inner include", async () => {
    const { ada, rows } = tenants;
    const inner = { model: "Tag", where: { tag: "sales" }, jointype: "inner" };
    assert.equal(await rows(ada, "securable", { where: { id: dataset.id }, include: [inner] }), []);
  });

  test("a model that the API does not know is refused with those that it does", async () => {
    const { ada, refusal } = tenants;
    const refused = await refusal(ada, "securable", "get", {
      find: { include: [{ model: "Taag" }] },
    });
    assert.is(refused.status, 400);
    assert.match(refused.message, /Taag.*column as Columns/);
  });
});
