import * as assert from "uvu/assert";
import type { Principal, RecordAction } from "../../../../core/base/contracts/index.ts";
import { declarations, type Link } from "../../../../core/resources/index.ts";
import { rulesOf } from "../../../../core/resources/kernel/index.ts";
import { suite } from "../../../support/suite.ts";
import { openTenantsFor } from "../openTenants.ts";

/** Every resource with its actions and their roles, and with its associations and the roles of both sides. */
const table: Readonly<Record<string, readonly [actions: string, associations: string]>> = {
  acceleration: [
    "create organizationMember, get read, update modify, delete own, validate modify",
    "Securables own/own",
  ],
  account: [
    "create organizationMember, get read, update own, delete own, validate own",
    "Groups own/use, Owner own/organizationEditor, Users own/organizationEditor",
  ],
  aiconversation: [
    "create organizationMember, get read, update modify, delete own, validate modify",
    "",
  ],
  aimessage: ["create organizationMember, get read, delete own, validate modify", ""],
  aimessageasset: ["create organizationMember, get read, delete own, validate modify", ""],
  savedview: [
    "create organizationMember, get read, update modify, delete own, validate modify",
    "",
  ],
  savedquestion: [
    "create organizationMember, get read, update modify, delete own, validate modify",
    "",
  ],
  alert: [
    "create organizationMember, get read, update own, delete own, validate own",
    "Channels own/use, Schedule own/modify, Securable own/read, User organizationMember/organizationMember",
  ],
  auditevent: ["get read", ""],
  authorization: ["create organizationMember, get read, delete own, validate modify", ""],
  channel: [
    "create organizationMember, get read, update own, delete own, validate own",
    "Alerts use/own, Organizations own/organizationMember, Owner own/organizationEditor, Users own/organizationEditor",
  ],
  collection: [
    "create organizationMember, get read, update modify, delete own, validate modify",
    "Groups own/use, Owner own/organizationEditor, Securables modify/read, Users own/organizationEditor",
  ],
  column: [
    "create organizationMember, get read, update modify, delete own, validate modify",
    "Currency modify/read, HierarchyLevels modify/modify, Joins modify/use, Securable modify/modify",
  ],
  country: ["get read", ""],
  currency: ["get read", ""],
  embedfiltergroup: [
    "create organizationOwner, get read, delete own, validate modify",
    "Securables own/read",
  ],
  formula: [
    "create organizationMember, get read, update modify, delete own, validate modify",
    "Currency modify/read, Groups own/use, Owner own/organizationEditor, Securables modify/modify, Users own/organizationEditor",
  ],
  group: [
    "create organizationMember, get read, update own, delete own, validate own",
    "Collections use/own, Formulas use/own, Integrations use/own, Securables use/own, Shareables use/own, Users own/organizationEditor",
  ],
  hierarchylevel: [
    "create organizationMember, get read, update modify, delete own, validate modify",
    "Column modify/modify",
  ],
  integration: [
    "create organizationOwner, get read, update own, delete own, validate own",
    "Groups own/use, Owner own/organizationEditor, Securables own/own, Users own/organizationEditor",
  ],
  locale: ["get read", ""],
  organization: [
    "get read, update modify, validate modify",
    "Channels organizationMember/own, Country own/read, Locale own/read, Plugins organizationMember/own, Thumbnails modify/read, Users own/organizationMember",
  ],
  plugin: [
    "create organizationMember, get read, update modify, delete own, validate modify",
    "Organizations own/organizationMember, Owner own/organizationEditor, Thumbnails own/read, Users own/organizationMember",
  ],
  schedule: [
    "create organizationMember, get read, update modify, delete own, validate modify",
    "Alerts modify/own, Channels own/use, Securable modify/modify, User own/organizationEditor",
  ],
  securable: [
    "create organizationMember, get read, update modify, delete own, validate modify",
    "Acceleration own/own, Alerts read/own, Collections read/modify, Columns modify/modify, Dashboards use/modify, Datasets modify/use, EmbedFilterGroups read/own, Favorites read/read, Formulas modify/modify, Groups own/use, Integrations own/own, Original modify/read, Owner own/organizationEditor, Schedules modify/modify, Shares own/own, Tags modify/organizationMember, Thumbnails modify/read, Users own/organizationEditor, Variants read/modify",
  ],
  securableversion: ["get read, update modify, validate modify", ""],
  share: [
    "create organizationMember, get read, delete own, validate modify",
    "Dashboard own/own, Locale own/read, Securable own/own",
  ],
  sharestatistic: ["get read", ""],
  alertevent: ["get read", ""],
  exportevent: ["get read", ""],
  datasetcopy: ["get read", ""],
  delivery: ["get read", ""],
  ssoconfig: ["create organizationOwner, get read, update own, delete own, validate own", ""],
  tag: [
    "create organizationMember, get read, update modify, delete own, validate modify",
    "Securables organizationMember/modify",
  ],
  customchart: [
    "create organizationMember, get read, update modify, delete own, validate modify",
    "",
  ],
  customchartversion: ["get read", ""],
  theme: ["create organizationMember, get read, update modify, delete own, validate modify", ""],
  thumbnail: [
    "create organizationMember, get read, update modify, delete own, validate modify",
    "Organizations read/modify, Plugins read/own, Securables read/modify, Users read/modify",
  ],
  timezone: ["get read", ""],
  user: [
    "create organizationOwner, get read, update modify, delete own, validate modify",
    "Channels organizationEditor/own, Collections organizationEditor/own, Country own/read, Formulas organizationEditor/own, Groups organizationEditor/own, Integrations organizationEditor/own, Locale own/read, Organizations organizationMember/own, Plugins organizationMember/own, Securables organizationEditor/own, Shareables organizationEditor/own, Thumbnails modify/read, Timezone own/read",
  ],
};

/** The roles that the API documentation lists for associations. */
const contract: readonly (readonly [string, string, string, string])[] = [
  ["securable", "Users", "own", "organizationEditor"],
  ["securable", "Groups", "own", "use"],
  ["securable", "Favorites", "read", "read"],
  ["securable", "Tags", "modify", "organizationMember"],
  ["securable", "Schedules", "modify", "modify"],
  ["securable", "Collections", "read", "modify"],
  ["securable", "Columns", "modify", "modify"],
  ["plugin", "Organizations", "own", "organizationMember"],
  ["plugin", "Users", "own", "organizationMember"],
  ["plugin", "Thumbnails", "own", "read"],
  ["formula", "Securables", "modify", "modify"],
  ["share", "Dashboard", "own", "own"],
];

/** The rights that the API documentation lists for updates. */
const contractOfUpdates: readonly (readonly [string, string])[] = [
  ["account", "own"],
  ["securable", "modify"],
  ["column", "modify"],
  ["alert", "own"],
];

const ladder = ["none", "read", "use", "modify", "own"] as const;
const flagOf = { none: "", read: "flagRead", use: "flagUse", modify: "flagModify", own: "flagOwn" };

suite("core/resources/kernel/policy", (test) => {
  test("updating a record requires the documented right, and updating a connection requires owning it", () => {
    for (const [resource, role] of contractOfUpdates) {
      const rules = rulesOf(declarations.get(resource) as never);
      assert.is(rules.find(({ action }) => action === "update")?.own, role, resource);
    }
  });

  const tenants = openTenantsFor(test);

  test("every resource requires exactly the documented roles", () => {
    const found = [...declarations.values()].map((declaration) => {
      const rules = rulesOf(declaration);
      const actions = rules.filter(({ association }) => !association);
      const links = rules.filter(({ action }) => action === "associate");
      return [
        declaration.name,
        [
          actions.map(({ action, own }) => `${action} ${own}`).join(", "),
          links
            .map(({ association, own, other }) => `${association} ${own}/${other}`)
            .toSorted()
            .join(", "),
        ],
      ] as const;
    });
    for (const [name, rules] of found) assert.equal(rules, table[name], name);
    assert.equal(found.map(([name]) => name).toSorted(), Object.keys(table).toSorted());
  });

  test("creating an association requires the same roles as removing it", () => {
    for (const declaration of declarations.values()) {
      const of = (wanted: RecordAction) =>
        rulesOf(declaration).flatMap(({ action, ...rule }) => (action === wanted ? [rule] : []));
      assert.equal(of("associate"), of("dissociate"), declaration.name);
    }
  });

  test("associations require the documented roles, whichever record comes first", () => {
    for (const [resource, association, own, other] of contract) {
      const rules = rulesOf(declarations.get(resource) as never);
      const rule = rules.find((each) => each.association === association);
      assert.equal([rule?.own, rule?.other], [own, other], `${resource} ${association}`);
    }
    for (const declaration of declarations.values())
      for (const [name, one] of Object.entries(declaration.associations)) {
        const back = Object.values(declarations.get(one.resource)?.associations ?? {}).find(
          (other) =>
            one.kind === "through" &&
            other.kind === "through" &&
            other.link === one.link &&
            other.ownKey === one.otherKey &&
            other.roles !== undefined,
        );
        if (one.roles && back?.roles)
          assert.equal(back.roles.toReversed(), [...one.roles], `${declaration.name} ${name}`);
      }
  });

  /** Returns the links that share a resource with users or groups, and the rights that these links grant. */
  const sharedBy = (target: "user" | "group") =>
    [...declarations.values()].flatMap((declaration) =>
      Object.entries(declaration.associations).flatMap(([role, association]) =>
        association.kind === "through" &&
        association.resource === target &&
        association.roles &&
        association.link.flags?.includes("flagModify") &&
        !["user", target].includes(declaration.name) &&
        declaration.name !== "organization"
          ? [[declaration.name, role, association.link] as const]
          : [],
      ),
    );

  const outcome = async (
    who: Principal,
    resource: string,
    action: RecordAction,
    body: Record<string, unknown>,
  ) =>
    tenants.call(who, resource, action, body).then(
      () => "done",
      (refused: { status?: number }) => String(refused.status ?? refused),
    );

  const climb = async (
    resource: string,
    link: Link,
    share: (id: string, flag: string) => Promise<void>,
    who: Principal,
  ) => {
    const { ada, make } = tenants;
    const rules = rulesOf(declarations.get(resource) as never);
    for (const right of ladder) {
      if (right !== "none" && !link.flags?.includes(flagOf[right])) continue;
      const id = await make(ada, resource);
      if (right !== "none") await share(id, flagOf[right]);
      for (const action of ["update", "delete"] as const) {
        const needed = rules.find((rule) => rule.action === action)?.own as (typeof ladder)[number];
        const isEnough = ladder.indexOf(right) >= ladder.indexOf(needed);
        const expected = right === "none" ? "404" : isEnough ? "done" : "403";
        const said = await outcome(who, resource, action, { id, properties: {} });
        assert.is(said, expected, `${resource} ${action} with ${right}`);
      }
      const seen = await tenants.rows(ada, resource, { where: { id } });
      assert.is(seen.length, right === "own" ? 0 : 1, `${resource} ${right}`);
    }
  };

  test("a right on a record allows exactly the documented actions, for every resource", async () => {
    const { ada, bob, call } = tenants;
    const shared = sharedBy("user");
    assert.ok(shared.length >= 4, "securable, collection, formula, integration and account");
    for (const [resource, role, link] of shared)
      await climb(
        resource,
        link,
        async (id, flag) => {
          const properties = { [flag]: true };
          const target = { role, id: bob.userId };
          if (resource === "integration" && flag === "flagOwn")
            await tenants.catalog
              .knex("organization_user")
              .where({ user_id: bob.userId })
              .update({ flagOwn: true });
          await call(ada, resource, "associate", { id, resource: target, properties });
          await tenants.catalog
            .knex("organization_user")
            .where({ user_id: bob.userId })
            .update({ flagOwn: false });
        },
        bob,
      );
  });

  test("a group's right applies to its users until they leave the group", async () => {
    const { ada, bob, call, make } = tenants;
    const groupId = await make(ada, "group");
    const member = { id: groupId, resource: { role: "Users", id: bob.userId } };
    await call(ada, "group", "associate", member);
    for (const [resource, role, link] of sharedBy("group"))
      await climb(
        resource,
        link,
        async (id, flag) => {
          const properties = { [flag]: true };
          await call(ada, resource, "associate", {
            id,
            resource: { role, id: groupId },
            properties,
          });
        },
        bob,
      );
    const id = await make(ada, "securable");
    const given = { id, resource: { role: "Groups", id: groupId }, properties: { flagUse: true } };
    await call(ada, "securable", "associate", given);
    assert.is((await tenants.records.visible("securable", [id], "use", bob)).size, 1);
    await call(ada, "group", "dissociate", member);
    assert.is((await tenants.records.visible("securable", [id], "read", bob)).size, 0);
  });

  test("users with a lower role cannot call the actions of editors and owners of the organization", async () => {
    const { ada, ben, bob, properties } = tenants;
    for (const declaration of declarations.values()) {
      if (!declaration.actions.includes("create") || declaration.name === "authorization") continue;
      const needed = rulesOf(declaration).find(({ action }) => action === "create")?.own;
      for (const [who, isEnough] of [
        [bob, needed === "organizationMember"],
        [ben, needed !== "organizationOwner"],
        [ada, true],
      ] as const) {
        const said = await outcome(who, declaration.name, "create", {
          properties: await properties(who, declaration.name),
        });
        assert.is(said === "403", !isEnough, `${declaration.name} by ${who.name}: ${said}`);
      }
    }
  });
});
