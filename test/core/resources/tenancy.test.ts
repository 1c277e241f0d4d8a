import * as assert from "uvu/assert";
import { randomUUID } from "node:crypto";
import type { Action } from "../../../core/base/contracts/index.ts";
import { declarations } from "../../../core/resources/index.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { givenIds, openTenants, samples, type Tenants } from "./openTenants.ts";

suite("core/resources/tenancy", (test) => {
  let tenants: Tenants;
  /** Ids of one record of each resource, all in Ada's organization. */
  const ids = new Map<string, string>();
  let shareableId: string;

  test.before(async () => {
    tenants = await openTenants();
    for (const resource of declarations.keys())
      ids.set(resource, await tenants.make(tenants.ada, resource));
    const [account] = await tenants.records.find("account", { id: ids.get("account") });
    shareableId = String(account?.["shareable_id"]);
    await countChanges();
  });
  test.after(() => tenants.close());

  /** Makes the catalog count the rows that are inserted, changed or deleted in any table. */
  const countChanges = async () => {
    const { knex } = tenants.catalog;
    const tables = await knex("information_schema.tables")
      .where({ table_schema: "public", table_type: "BASE TABLE" })
      .whereNotIn("table_name", [...Object.keys(givenIds), "migration"])
      .pluck("table_name");
    const triggers = (tables as string[]).map(
      (table) => `
        create trigger test_rows after insert or update or delete on "${table}"
          for each row execute function test_count_change();
        create trigger test_table after truncate on "${table}"
          for each statement execute function test_count_change();`,
    );
    await knex.raw(`
      create table test_change (count integer not null);
      insert into test_change values (0);
      create function test_count_change() returns trigger language plpgsql as
        'begin update test_change set count = count + 1; return null; end';
      ${triggers.join("")}
    `);
  };

  /** Returns the number of row changes so far, without changes that were rolled back. */
  const changeCount = async (): Promise<number> =>
    (await tenants.catalog.knex("test_change").first("count")).count;

  const oddIds = [
    randomUUID(),
    "not-a-uuid",
    "",
    "' or true --",
    "a\u0000b",
    7,
    true,
    ["x"],
    { id: 1 },
  ];
  const absentIds = [undefined, null];
  let pairCount = 0;
  /**
   * Returns malformed ids to try. With `--soak`, these are all of them; otherwise one or two, which differ from call to
   * call.
   */
  const nextOddIds = () => {
    const next = () => oddIds[pairCount++ % oddIds.length];
    return rounds({ quick: [next()], deep: [next(), next()], soak: oddIds });
  };
  /** Records of Eve. They are created only once, because refused calls never change them. */
  const ofEve = new Map<string, Promise<string>>();

  for (const [resource, declaration] of declarations) {
    const single = new Set<Action>(["update", "delete", "validate"]);
    for (const action of declaration.actions.filter((each) => single.has(each))) {
      test(`${resource} ${action}: another organization's id causes the same response as a random id and changes nothing`, async () => {
        const { eve, refusal } = tenants;
        const before = await changeCount();
        const properties = { ...samples[resource], name: { en: "Taken" }, environment: null };
        const foreign = ids.get(resource) ?? "";
        const refused = await refusal(eve, resource, action, { id: foreign, properties });
        const random = randomUUID();
        const unknown = await refusal(eve, resource, action, { id: random, properties });
        assert.equal([refused.code, refused.status], ["RECORD_NOT_FOUND", 404]);
        assert.is(
          refused.message.replace(foreign, "<id>"),
          unknown.message.replace(random, "<id>"),
        );
        assert.equal(Object.keys(refused), Object.keys(unknown));
        assert.is(await changeCount(), before);
      });

      if (action !== "validate")
        test(`${resource} ${action}: an invalid id causes a 404, and a missing id a 400`, async () => {
          const { ada, refusal } = tenants;
          for (const id of nextOddIds()) {
            const { code, status } = await refusal(ada, resource, action, { id, properties: {} });
            assert.equal([code, status], ["RECORD_NOT_FOUND", 404], JSON.stringify(id));
          }
          for (const id of absentIds) {
            const refused = await refusal(ada, resource, action, { id, properties: {} });
            assert.equal([refused.code, refused.status], ["MEMBER_MISSING", 400]);
            assert.match(refused.message, /^id is required/);
          }
        });
    }

    if (givenIds[resource]) continue;
    test(`${resource} get: no search shows records of another organization`, async () => {
      const { eve, rows } = tenants;
      const foreign = ids.get(resource);
      for (const find of [
        undefined,
        {},
        { where: { id: foreign } },
        { where: { id: { in: [foreign] } } },
        { where: { or: [{ id: foreign }, { not: { id: foreign } }] } },
        { where: { id: { not: null } }, limit: 10_000 },
      ]) {
        const found = await rows(eve, resource, find);
        assert.not(
          found.some(({ id }) => id === foreign),
          JSON.stringify(find),
        );
      }
    });

    const foreignRoles = Object.entries(declaration.associations).filter(
      ([, association]) => association.roles && !givenIds[association.resource],
    );
    // An organization can have only one embedfiltergroup, so another create fails before its references are checked.
    const isMade = declaration.actions.includes("create") && resource !== "embedfiltergroup";
    if (isMade && foreignRoles.length > 0)
      test(`${resource} create: a record cannot refer to a record of another organization`, async () => {
        const { eve, refusal, properties } = tenants;
        const given = await properties(eve, resource);
        const before = await changeCount();
        for (const [role, association] of rounds({
          quick: foreignRoles.slice(0, 2),
          deep: foreignRoles,
        })) {
          const isShareable = association.kind === "through" && association.lookup !== undefined;
          const id = isShareable ? shareableId : ids.get(association.resource);
          const answers = [];
          for (const named of [id, randomUUID()]) {
            const associations = [{ role, id: named }];
            const body = { properties: given, associations };
            const { code, message } = await refusal(eve, resource, "create", body);
            answers.push(`${code} ${message.replace(String(named), "<id>")}`);
          }
          assert.is(answers[0], answers[1], role);
          assert.match(answers[0] ?? "", /^RECORD_NOT_FOUND/, role);
        }
        assert.is(await changeCount(), before);
      });

    /** In the quick layer, only the first role of each resource is also dissociated. */
    let isFirstRole = true;
    for (const [role, association] of Object.entries(declaration.associations)) {
      if (!association.roles || !declaration.actions.includes("associate")) continue;
      const alsoDissociates = isFirstRole;
      isFirstRole = false;
      for (const action of ["associate", "dissociate"] as const)
        (action === "associate" || alsoDissociates ? test : test.deep)(
          `${resource} ${action} ${role}: both records must belong to the caller's organization`,
          async () => {
            const { eve, refusal } = tenants;
            const isShareable = association.kind === "through" && association.lookup !== undefined;
            const isGiven = givenIds[association.resource] !== undefined;
            const foreignOwn = ids.get(resource);
            const foreignOther = isShareable ? shareableId : ids.get(association.resource);
            const mine = (place: "own" | "other", name: string): Promise<string> => {
              const made =
                ofEve.get(`${place} ${name}`) ??
                (name === "user" ? Promise.resolve(eve.userId) : tenants.make(eve, name));
              ofEve.set(`${place} ${name}`, made);
              return made;
            };
            const ownId = await mine("own", resource);
            const created = await mine("other", association.resource);
            const [account] = isShareable
              ? await tenants.records.find("account", { id: created })
              : [];
            const otherId = isShareable ? String(account?.["shareable_id"]) : created;
            const names = association.kind === "through" ? (association.link.flags ?? []) : [];
            const flags = Object.fromEntries(names.map((name) => [name, true]));
            const before = await changeCount();
            const unknown = randomUUID();
            const messages = new Map<unknown, string>();
            for (const [own, other] of [
              [foreignOwn, otherId],
              ...rounds({ quick: [], deep: [[foreignOwn, foreignOther]] }),
              ...(isGiven ? [] : [[ownId, foreignOther]]),
              [ownId, unknown],
              ...nextOddIds().map((odd) => [ownId, odd]),
            ]) {
              const { code, status, message } = await refusal(eve, resource, action, {
                id: own,
                resource: { role, id: other },
                properties: flags,
              });
              assert.equal([code, status], ["RECORD_NOT_FOUND", 404], JSON.stringify([own, other]));
              if (own === ownId) messages.set(other, message.replace(String(other), "<id>"));
            }
            assert.is(await changeCount(), before);
            if (!isGiven) assert.is(messages.get(foreignOther), messages.get(unknown));
          },
        );
    }
  }

  test("the change counter counts a change in any table, unless the change is rolled back", async () => {
    const { knex } = tenants.catalog;
    const before = await changeCount();
    await knex("organization").update({ updated_at: new Date() });
    const after = await changeCount();
    assert.ok(after > before, "each row of the table");
    await knex
      .transaction(async (transaction) => {
        await transaction("organization").update({ updated_at: new Date() });
        throw new Error("rolled back");
      })
      .catch(() => undefined);
    assert.is(await changeCount(), after);
  });

  test("a member without rights can neither read nor delete records by id", async () => {
    const { bob, refusal, rows } = tenants;
    for (const resource of ["securable", "account", "plugin", "column", "authorization"]) {
      const id = ids.get(resource);
      assert.equal(await rows(bob, resource, { where: { id } }), []);
      assert.is((await refusal(bob, resource, "delete", { id })).code, "RECORD_NOT_FOUND");
    }
  });

  test("an include omits records that the caller may not see", async () => {
    const { ada, bob, call, rows } = tenants;
    const id = ids.get("securable");
    await call(ada, "securable", "associate", { id, resource: { role: "Users", id: bob.userId } });
    const [seen] = await rows(bob, "securable", {
      where: { id },
      include: [{ model: "User", as: "Owner" }, { model: "User" }, { model: "Account" }],
    });
    assert.is(seen?.["owner"], null);
    assert.equal(
      ((seen?.["users"] ?? []) as { id: string }[]).map((user) => user.id),
      [bob.userId],
    );
    const inner = { where: { id }, include: [{ model: "User", as: "Owner", jointype: "inner" }] };
    assert.is((await rows(bob, "securable", inner)).length, 0);
    assert.is((await rows(ada, "securable", inner)).length, 1);
    await call(ada, "securable", "dissociate", { id, resource: { role: "Users", id: bob.userId } });
    assert.equal(await rows(bob, "securable", { where: { id } }), []);
  });

  test("an include of a record's users contains its owner", async () => {
    const { ada, rows } = tenants;
    const memberOf = { securable: "securableUser", account: "accountUser", plugin: "pluginUser" };
    for (const [resource, member] of Object.entries(memberOf)) {
      const find = {
        where: { id: ids.get(resource) },
        include: [{ model: "User", where: { id: "me" }, jointype: "inner" }],
      };
      const [row] = await rows(ada, resource, find);
      const [owner] = (row?.["users"] ?? []) as Record<string, Record<string, unknown>>[];
      assert.is(owner?.[member]?.["user_id"], ada.userId, resource);
      if (resource !== "plugin") assert.is(owner?.[member]?.["flagOwn"], true, resource);
    }
  });

  test("only an owner can create users, and only in their own organization", async () => {
    const { ada, bob, eve, call, refusal, rows } = tenants;
    assert.is(
      (await refusal(bob, "user", "create", { properties: samples["user"] })).code,
      "FORBIDDEN",
    );
    const { id } = await call(eve, "user", "create", { properties: { email: "e2@example.org" } });
    assert.equal(
      (await rows(eve, "user", { order: [["email", "asc"]] })).map((user) => user.id),
      [id, eve.userId],
    );
    assert.not((await rows(ada, "user")).some((user) => user.id === id));
    assert.equal(
      (await rows(bob, "user")).map((user) => user.id),
      [bob.userId],
    );
    assert.equal(
      (await rows(bob, "user", { where: { id: "me" } })).map((user) => user.id),
      [bob.userId],
    );
  });
});
