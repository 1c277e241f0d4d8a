import * as assert from "uvu/assert";
import { rights, type Principal, type Right } from "../../../core/base/contracts/index.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { openTenantsFor } from "./openTenants.ts";

/** A link in the naive model. Its right is a number from 0 (read) to 3 (own). */
interface Given {
  readonly record: string;
  readonly holder: string;
  readonly level: number;
}

const flagNames = ["flagRead", "flagUse", "flagModify", "flagOwn"];
const flagsOf = (level: number) =>
  Object.fromEntries(flagNames.map((name, index) => [name, index <= level]));

suite("core/resources/rights", (test) => {
  const tenants = openTenantsFor(test);

  test("rights match a naive evaluation of all shares, for every user, record and right", async () => {
    const random = createRandom();
    const { ada, eve, addUser, records, catalog } = tenants;
    const { knex } = catalog;
    await withSeed(random, async () => {
      const users: Principal[] = [];
      for (let index = 0; index < 6; index++)
        users.push(await addUser(index < 5 ? ada : eve, `user${index}`));
      const organizationOf = new Map(users.map((user) => [user.userId, user.organizationId]));
      const groups = await records.insertMany(
        "group",
        Array.from({ length: 4 }, () => ({ name: "G", organization_id: ada.organizationId })),
      );
      const publics = await records.find("group", { public: true });
      const integrations = await records.insertMany(
        "integration",
        Array.from({ length: 2 }, () => ({
          name: "I",
          organization_id: ada.organizationId,
          user_id: ada.userId,
        })),
      );
      const securables = await records.insertMany(
        "securable",
        Array.from({ length: 40 }, () => ({
          type: "dataset",
          owner_id: random.pick(users).userId,
        })),
      );
      const pairs = (ids: readonly string[], holders: readonly string[], share: number) =>
        ids.flatMap((record) =>
          random.some(holders, share).map((holder) => ({ record, holder, level: random.below(4) })),
        );
      const securableIds = securables.map(({ id }) => id);
      const userIds = users.map(({ userId }) => userId);
      const groupIds = [...groups, ...publics].map(({ id }) => id);
      const integrationIds = integrations.map(({ id }) => id);
      const members = pairs(groupIds.slice(0, 4), userIds, 0.3);
      const ofUsers = pairs(securableIds, userIds, 0.1);
      const ofGroups = pairs(securableIds, groupIds, 0.08);
      const ofIntegrations = pairs(securableIds, integrationIds, 0.2);
      const integrated = pairs(integrationIds, userIds, 0.3);
      const integratedGroups = pairs(integrationIds, groupIds.slice(0, 4), 0.3);
      const write = async (table: string, keys: [string, string], given: Given[], top = 3) => {
        const rows = given.map(({ record, holder, level }) => ({
          [keys[0]]: record,
          [keys[1]]: holder,
          ...Object.fromEntries(Object.entries(flagsOf(level)).slice(0, top + 1)),
        }));
        if (rows.length > 0) await knex(table).insert(rows);
      };
      await write("group_user", ["group_id", "user_id"], members);
      // In links with a group, `flagMember` gives membership.
      const isMembership = ({ level }: Given) => level > 0;
      for (const each of members)
        await knex("group_user")
          .where({ group_id: each.record, user_id: each.holder })
          .update({ flagMember: isMembership(each) });
      await write("securable_user", ["securable_id", "user_id"], ofUsers);
      await write("securable_group", ["securable_id", "group_id"], ofGroups);
      await write("securable_integration", ["securable_id", "integration_id"], ofIntegrations, 2);
      await write("integration_user", ["integration_id", "user_id"], integrated);
      await write("integration_group", ["integration_id", "group_id"], integratedGroups, 2);

      const isMember = (groupId: string, userId: string) =>
        members
          .filter(isMembership)
          .some(({ record, holder }) => record === groupId && holder === userId) ||
        publics.some(
          (each) => each.id === groupId && each["organization_id"] === organizationOf.get(userId),
        );
      const isIntegrated = (integrationId: string, userId: string) =>
        integrated.some((each) => each.record === integrationId && each.holder === userId) ||
        integratedGroups.some(
          (each) => each.record === integrationId && isMember(each.holder, userId),
        );
      const levelOf = (securableId: string, userId: string): number => {
        const owner = securables.find(({ id }) => id === securableId)?.["owner_id"];
        const levels = [
          owner === userId ? 3 : -1,
          ...ofUsers.map((each) => (each.holder === userId ? each : undefined)),
          ...ofGroups.map((each) => (isMember(each.holder, userId) ? each : undefined)),
          ...ofIntegrations.map((each) =>
            isIntegrated(each.holder, userId)
              ? { ...each, level: Math.min(each.level, 2) }
              : undefined,
          ),
        ].map((each) =>
          typeof each === "number" ? each : each?.record === securableId ? each.level : -1,
        );
        return Math.max(...levels);
      };
      let held = 0;
      for (const user of users)
        for (const [level, right] of rights.entries()) {
          const seen = await records.visible("securable", securableIds, right as Right, user);
          const expected = securableIds.filter((id) => levelOf(id, user.userId) >= level);
          assert.equal([...seen.keys()].sort(), expected.toSorted(), `${user.name} ${right}`);
          held += expected.length;
        }
      assert.ok(held > 50, `${held} rights were given`);
    });
  });

  test("a right on a dataset, even through a group, applies to its columns, formulas and schedules", async () => {
    const { ada, bob, call, make, records } = tenants;
    const dataset = await call(ada, "securable", "create", { properties: { type: "dataset" } });
    const ids = { column: "", formula: "", schedule: "" };
    for (const resource of ["column", "formula", "schedule"] as const) {
      ids[resource] = await make(ada, resource);
      const target = { role: "Securable", id: dataset.id };
      await call(ada, resource, "associate", { id: ids[resource], resource: target });
    }
    const level = await make(ada, "hierarchylevel");
    const column = { role: "Column", id: ids.column };
    await call(ada, "hierarchylevel", "associate", { id: level, resource: column });
    const groupId = await make(ada, "group");
    await call(ada, "group", "associate", {
      id: groupId,
      resource: { role: "Users", id: bob.userId },
    });
    const share = (flag: string) =>
      call(ada, "securable", "associate", {
        id: dataset.id,
        resource: { role: "Groups", id: groupId },
        properties: { [flag]: true },
      });
    for (const [index, flag] of flagNames.entries()) {
      await share(flag);
      for (const [resource, id] of Object.entries({ ...ids, hierarchylevel: level }))
        for (const [needed, right] of rights.entries()) {
          const seen = await records.visible(resource, [id], right, bob);
          assert.is(seen.size, index >= needed ? 1 : 0, `${resource} ${right} by ${flag}`);
        }
    }
  });

  test("rights of the Public group apply to every user of its organization and nobody else", async () => {
    const { ada, bob, eve, call, rows, refusal, make, records } = tenants;
    const [own] = await rows(bob, "group", { where: { public: true } });
    assert.equal(own?.["name"], "Public");
    assert.is(own?.["organization_id"], ada.organizationId);
    const id = await make(ada, "securable");
    const target = { role: "Groups", id: own?.id };
    const flags = { flagUse: true, published: true };
    await call(ada, "securable", "associate", { id, resource: target, properties: flags });
    assert.is((await records.visible("securable", [id], "use", bob)).size, 1);
    assert.is((await records.visible("securable", [id], "modify", bob)).size, 0);
    assert.is((await records.visible("securable", [id], "read", eve)).size, 0);
    const [row] = await rows(ada, "securable", { where: { id }, include: [{ model: "Group" }] });
    const [group] = (row?.["groups"] ?? []) as { securableGroup: Record<string, unknown> }[];
    assert.equal(group?.securableGroup, {
      securable_id: id,
      group_id: own?.id,
      flagRead: true,
      flagUse: true,
      flagModify: false,
      flagOwn: false,
      published: true,
      filters: null,
    });
    for (const action of ["update", "delete"] as const) {
      const properties = action === "update" ? { name: "Mine" } : {};
      const body = { id: own?.id, properties };
      assert.is((await refusal(ada, "group", action, body)).code, "CONFLICT");
    }
    const member = { id: own?.id, resource: { role: "Users", id: bob.userId } };
    assert.is((await refusal(ada, "group", "associate", member)).code, "CONFLICT");
    const account = await call(ada, "account", "create", { properties: { provider: "sample" } });
    const shareable = { role: "Shareables", id: account["shareable_id"] };
    const body = { id: own?.id, resource: shareable, properties: { flagUse: true } };
    assert.is((await refusal(ada, "group", "associate", body)).code, "CONFLICT");
    const other = { id, resource: { role: "Groups", id: await make(ada, "group") } };
    const publish = { ...other, properties: { published: true } };
    assert.match((await refusal(ada, "securable", "associate", publish)).message, /Public group/);
  });

  test("row filters on links that do not support filters are refused rather than ignored", async () => {
    const { ada, bob, call, refusal, make } = tenants;
    const id = await make(ada, "securable");
    const body = { id, resource: { role: "Users", id: bob.userId } };
    const filtered = { ...body, properties: { flagUse: true, filters: [{ expression: "? = ?" }] } };
    const { code, message } = await refusal(ada, "securable", "associate", filtered);
    assert.equal([code, /properties\.filters/.test(message)], ["MEMBER_INVALID", true]);
    assert.is((await tenants.records.visible("securable", [id], "read", bob)).size, 0);
    await call(ada, "securable", "associate", { ...body, properties: { filters: [] } });
  });

  test("a group gets rights on a connection through its shareable id", async () => {
    const { ada, bob, call, refusal, make, rows, records } = tenants;
    const groupId = await make(ada, "group");
    const account = await call(ada, "account", "create", { properties: { provider: "sample" } });
    await call(ada, "group", "associate", {
      id: groupId,
      resource: { role: "Users", id: bob.userId },
    });
    const share = (id: unknown) => ({
      id: groupId,
      resource: { role: "Shareables", id },
      properties: { flagUse: true },
    });
    assert.is(
      (await refusal(ada, "group", "associate", share(account.id))).code,
      "RECORD_NOT_FOUND",
    );
    await call(ada, "group", "associate", share(account["shareable_id"]));
    assert.is((await records.visible("account", [account.id], "use", bob)).size, 1);
    const found = await rows(bob, "account", { include: [{ model: "Group", jointype: "inner" }] });
    assert.equal(
      found.map(({ id }) => id),
      [account.id],
    );
  });

  test("an integration belongs to the organization's owners, and each of its dashboards can have a unique slug", async () => {
    const { ada, ben, call, refusal, make } = tenants;
    const id = await make(ada, "integration");
    const own = { id, resource: { role: "Users", id: ben.userId }, properties: { flagOwn: true } };
    assert.is((await refusal(ada, "integration", "associate", own)).code, "CONFLICT");
    const embed = async (slug: unknown) => ({
      id: await make(ada, "securable"),
      resource: { role: "Integrations", id },
      properties: { flagRead: true, slug },
    });
    await call(ada, "securable", "associate", await embed("sales"));
    const again = await refusal(ada, "securable", "associate", await embed("sales"));
    assert.equal([again.code, again.status], ["CONFLICT", 409]);
    for (const slug of ["a b", "", "x".repeat(51), 7])
      assert.match(
        (await refusal(ada, "securable", "associate", await embed(slug))).message,
        /properties\.slug/,
      );
  });

  test("users of a suborganization can neither see records of other suborganizations nor share records with them", async () => {
    const { ada, addUser, call, refusal, rows, records, make } = tenants;
    const north = await addUser(ada, "north", { suborganization: "north" }, { flagEditor: true });
    const south = await addUser(ada, "south", { suborganization: "south" }, { flagEditor: true });
    const main = await addUser(ada, "main", {}, { flagEditor: true });
    const ids: Record<string, string> = {};
    for (const resource of ["securable", "group", "collection", "tag", "formula", "column"])
      ids[resource] = await make(south, resource);
    for (const [resource, id] of Object.entries(ids)) {
      assert.equal(await rows(north, resource, { where: { id } }), [], resource);
      const body = { id, properties: {} };
      assert.is(
        (await refusal(north, resource, "update", body)).code,
        "RECORD_NOT_FOUND",
        resource,
      );
    }
    assert.equal(
      (await rows(north, "user")).map(({ id }) => id),
      [north.userId],
    );
    const shareWith = async (who: Principal, role: string, id: unknown) => ({
      id: await make(who, "securable"),
      resource: { role, id },
      properties: { flagRead: true },
    });
    for (const id of [south.userId, main.userId]) {
      const body = await shareWith(north, "Users", id);
      assert.is((await refusal(north, "securable", "associate", body)).code, "RECORD_NOT_FOUND");
    }
    await call(main, "securable", "associate", await shareWith(main, "Users", north.userId));
    const [everyone] = await rows(north, "group", { where: { public: true } });
    const toAll = await shareWith(north, "Groups", everyone?.id);
    assert.is((await refusal(north, "securable", "associate", toAll)).code, "FORBIDDEN");
    const ownGroup = await make(north, "group");
    const [row] = await records.find("group", { id: ownGroup });
    assert.is(row?.["suborganization"], "north");
    await call(north, "securable", "associate", await shareWith(north, "Groups", ownGroup));

    const mainTag = await make(main, "tag");
    assert.is((await rows(north, "tag", { where: { id: mainTag } })).length, 1);
    assert.equal(await rows(north, "tag", { where: { id: ids["tag"] } }), []);
    assert.is((await rows(main, "tag", { where: { id: ids["tag"] } })).length, 1);
  });

  test("an owner in a suborganization can manage only that suborganization's users", async () => {
    const { ada, addUser, call, refusal, rows } = tenants;
    const east = { suborganization: "east" };
    const ruler = await addUser(ada, "ruler", east, { flagSuborganizationOwn: true });
    const subject = await addUser(ada, "subject", east);
    const other = await addUser(ada, "other", { suborganization: "west" });
    assert.equal(
      (await rows(ruler, "user")).map(({ id }) => id).toSorted(),
      [ruler.userId, subject.userId].toSorted(),
    );
    await call(ruler, "user", "update", { id: subject.userId, properties: { city: "Ghent" } });
    for (const id of [other.userId, ada.userId])
      assert.is(
        (await refusal(ruler, "user", "update", { id, properties: {} })).code,
        "RECORD_NOT_FOUND",
      );
    const apart = await addUser(ada, "apart", east, { flagEditor: true, flagOwn: true });
    assert.equal(
      (await rows(apart, "user")).map(({ id }) => id).toSorted(),
      [ruler.userId, subject.userId, apart.userId].toSorted(),
    );
    const made = await call(apart, "user", "create", {
      properties: { email: "made@example.org", suborganization: "west" },
    });
    assert.is(made["suborganization"], "east");
    const organization = { id: ada.organizationId, properties: { name: { en: "Taken" } } };
    assert.is((await refusal(apart, "organization", "update", organization)).code, "FORBIDDEN");
    const [shown] = await rows(ada, "organization", {
      include: [{ model: "User", where: { id: ruler.userId } }],
    });
    const [user] = (shown?.["users"] ?? []) as { organizationRole: Record<string, unknown> }[];
    assert.equal(
      [user?.organizationRole["flagSuborganizationOwn"], user?.organizationRole["suborganization"]],
      [true, "east"],
    );
  });
});
