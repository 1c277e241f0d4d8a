import * as assert from "uvu/assert";
import { rights, type Principal, type Restriction } from "../../../core/access/principal.ts";
import { declarations } from "../../../core/resources/index.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { openTenants, type Tenants } from "./openTenants.ts";

/** Resources that every user makes here; the others are there already, or are made by owners of the organization alone. */
const made = [
  "account",
  "securable",
  "column",
  "group",
  "collection",
  "formula",
  "tag",
  "hierarchylevel",
  "schedule",
  "channel",
  "thumbnail",
  "aimessageasset",
];

suite("core/resources/allow", (test) => {
  let tenants: Tenants;
  let users: Principal[];
  test.before(async () => {
    tenants = await openTenants();
    const { ada, ben, bob, eve, addUser } = tenants;
    const sub = { suborganization: "north" };
    users = [
      ada,
      ben,
      bob,
      eve,
      await addUser(ada, "north", sub),
      await addUser(ada, "ruler", sub, { flagSuborganizationOwn: true }),
      await addUser(ada, "apart", sub, { flagEditor: true, flagOwn: true }),
    ];
  });
  test.after(() => tenants.close());

  /** Links of every kind between any two records that are there, with rising flags. */
  const linkAtRandom = async (random: Random) => {
    const { knex } = tenants.catalog;
    for (const [name, { associations }] of declarations)
      for (const association of Object.values(associations)) {
        if (association.kind !== "through") continue;
        const { link, ownKey, otherKey, resource } = association;
        if (link.table === "organization_user" || link.uniqueBy.length !== 2) continue;
        const own: string[] = await knex(name).pluck("id");
        const other: string[] = await knex(resource).pluck("id");
        if (own.length === 0 || other.length === 0) continue;
        for (let index = 0; index < 12; index++) {
          const level = random.below((link.flags ?? []).length + 1);
          const flags = (link.flags ?? []).map((flag, at) => [flag, at < level]);
          await knex(link.table)
            .insert({
              [ownKey]: random.pick(own),
              [otherKey]: random.pick(other),
              ...Object.fromEntries(flags),
              ...(link.table === "embedfiltergroup_securable" && { filters: "[]" }),
            })
            .onConflict()
            .ignore();
        }
      }
    for (const [table, parent] of [
      ["column", "securable"],
      ["schedule", "securable"],
      ["hierarchylevel", "column"],
    ] as const) {
      const parents: string[] = await knex(parent).pluck("id");
      for (const id of (await knex(table).pluck("id")) as string[])
        if (random.chance(0.7))
          await knex(table)
            .where({ id })
            .update({ [`${parent}_id`]: random.pick(parents) });
    }
  };

  const tokenOf = async (maker: Principal, random: Random): Promise<Principal> => {
    const { knex } = tenants.catalog;
    const some = async (table: string) =>
      new Map(
        random
          .some((await knex(table).pluck("id")) as string[], 0.4)
          .map((id) => [id, random.pick(rights)] as const),
      );
    const restriction: Restriction = {
      maker,
      role: random.pick(["viewer", "designer", "owner"] as const),
      securables: await some("securable"),
      collections: await some("collection"),
      integrationId: random.pick([
        undefined,
        ...((await knex("integration").pluck("id")) as string[]),
      ]),
      filters: [],
      parameters: new Map(),
      hiddenColumns: new Set((await some("column")).keys()),
      accountOverrides: new Map(),
      environment: null,
      metadata: undefined,
    };
    return { ...maker, authorizationType: "embed", organizationRole: "member", restriction };
  };

  test("selects, in the form that starts from what gives a right, the records that pass its test one by one", async () => {
    const random = createRandom();
    const { knex } = tenants.catalog;
    await withSeed(random, async () => {
      for (const user of users) for (const name of made) await tenants.make(user, name);
      for (const owner of [users[0], users[3]])
        await tenants.make(owner as Principal, "integration");
      await linkAtRandom(random);
      const tokens = await Promise.all(
        users.flatMap((user) => [tokenOf(user, random), tokenOf(user, random)]),
      );
      let compared = 0;
      for (const [name, { allow }] of declarations)
        for (const principal of [...users, ...tokens])
          for (const right of rights) {
            const ids = allow.ids?.(knex, name, right, principal);
            if (!ids) continue;
            const tested: string[] = await knex(`${name} as t`)
              .where((query) => allow(query, "t", right, principal))
              .pluck("t.id");
            const selected: string[] = await knex(`${name} as t`)
              .whereRaw("t.id = any(array(?))", [ids])
              .pluck("t.id");
            const who = `${principal.name} ${principal.authorizationType}`;
            assert.equal(selected.toSorted(), tested.toSorted(), `${name} ${right} of ${who}`);
            if (tested.length > 0) compared += 1;
          }
      assert.ok(compared > 150, `${compared} sets were compared`);
    });
  });

  test("says under which keys a record hangs on the one that gives the right", () => {
    const keys = (name: string) => declarations.get(name)?.allow.keys;
    assert.equal(keys("column"), ["securable_id"]);
    assert.equal(keys("hierarchylevel"), ["column_id"]);
    assert.equal(keys("securable"), []);
  });
});
