import * as assert from "uvu/assert";
import {
  nobody,
  rights,
  type Principal,
  type Restriction,
  type Right,
} from "../../../../core/base/contracts/index.ts";
import type { Association, Declaration, Under } from "../../../../core/resources/kernel/index.ts";
import { declarations } from "../../../../core/resources/index.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { openTenants, type Tenants } from "../openTenants.ts";

/**
 * Resources of which every user creates records in this test. Records of all other resources already exist, or only
 * owners of the organization can create them.
 */
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

suite("core/resources/rights/allow", (test) => {
  let tenants: Tenants;
  let users: Principal[];
  let callers: Principal[];
  const random = createRandom();
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
    await withSeed(random, fill);
    const tokens: Principal[] = [];
    for (let round = 0; round < rounds({ quick: 1, deep: 2 }); round++)
      for (const user of users) tokens.push(await tokenOf(user));
    // The principal of a deleted user, which a cached token would still have.
    callers = [...users, ...tokens, { ...ada, userId: nobody, name: "nobody" }];
  });
  test.after(() => tenants.close());

  /**
   * Creates links of every kind between random existing records. In each link, a random number of flags is set,
   * beginning with the first.
   */
  const linkAtRandom = async () => {
    const { knex } = tenants.catalog;
    for (const [name, { associations }] of declarations)
      for (const association of Object.values(associations)) {
        if (association.kind !== "through") continue;
        const { link, ownKey, otherKey, resource } = association;
        if (link.table === "organization_user" || link.uniqueBy.length !== 2) continue;
        const own: string[] = await knex(name).pluck("id");
        const other: string[] = await knex(resource).pluck("id");
        if (own.length === 0 || other.length === 0) continue;
        const links = Array.from({ length: 12 }, () => {
          const level = random.below((link.flags ?? []).length + 1);
          const flags = (link.flags ?? []).map((flag, at) => [flag, at < level]);
          return {
            [ownKey]: random.pick(own),
            [otherKey]: random.pick(other),
            ...Object.fromEntries(flags),
            ...(link.table === "embedfiltergroup_securable" && { filters: "[]" }),
          };
        });
        await knex(link.table).insert(links).onConflict().ignore();
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

  const fill = async () => {
    for (const user of users) for (const name of made) await tenants.make(user, name);
    for (const owner of [users[0], users[3]]) await tenants.make(owner as Principal, "integration");
    await linkAtRandom();
  };

  const tokenOf = async (maker: Principal): Promise<Principal> => {
    const { knex } = tenants.catalog;
    const some = async (table: string) =>
      new Map(
        random
          .some((await knex(table).pluck("id")) as string[], 0.4)
          .map((id) => [id, random.pick(rights)] as const),
      );
    const restriction: Restriction = {
      issuer: maker,
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

  test("a rule selects the same records whether it lists their ids or tests each record", async () => {
    const { knex } = tenants.catalog;
    await withSeed(random, async () => {
      let compared = 0;
      for (const [name, { allow }] of declarations)
        for (const principal of callers) {
          const comparisons = rights.flatMap((right) => {
            const ids = allow.ids?.(knex, name, right, principal);
            if (!ids) return [];
            const tested = knex(`${name} as t`)
              .select("t.id")
              .where((query) => allow(query, "t", right, principal));
            const selected = knex(`${name} as t`)
              .select("t.id")
              .whereRaw("t.id = any(array(?))", [ids]);
            return [{ right, tested, selected }];
          });
          if (comparisons.length === 0) continue;
          // One statement returns all rights, as one list of ids per column.
          const statement = knex.first(
            ...comparisons.flatMap(({ right, tested, selected }) => [
              knex.raw("array(?) as ??", [tested, `tested ${right}`]),
              knex.raw("array(?) as ??", [selected, `selected ${right}`]),
            ]),
          );
          const found = (await statement) as Readonly<Record<string, string[]>>;
          for (const { right } of comparisons) {
            const tested = found[`tested ${right}`] ?? [];
            const selected = found[`selected ${right}`];
            const who = `${principal.name} ${principal.authorizationType}`;
            assert.equal(selected?.toSorted(), tested.toSorted(), `${name} ${right} of ${who}`);
            if (tested.length > 0) compared += 1;
          }
        }
      assert.ok(compared > 150, `${compared} sets were compared`);
    });
  });

  interface Pair {
    readonly child: string;
    readonly parent: string;
  }
  const inWords = ({ child, parent }: Pair) => `${child} of ${parent}`;

  /** Returns each record that a rule allows, paired with the record to which an association leads. */
  const pairsUnder = async (
    [holder, association]: readonly [Declaration, Association],
    [principal, right]: readonly [Principal, Right],
    ids: readonly string[],
    isTold: boolean,
  ): Promise<readonly Pair[]> => {
    if (ids.length === 0) return [];
    const { knex } = tenants.catalog;
    const declared = declarations.get(association.resource);
    if (!declared || association.kind === "one") throw new TypeError("belongs to no record");
    const isThrough = association.kind === "through";
    const column = isThrough ? `l.${association.ownKey}` : `t.${association.key}`;
    const idType = holder.fields["id"]?.storage === "text" ? "text" : "uuid";
    const under: Under = {
      alias: "t",
      resource: holder.name,
      ids,
      idType,
      column,
      ...(isThrough && { link: association.link.table }),
    };
    const query = knex(`${association.resource} as t`)
      .select("t.id as child", `${column} as parent`)
      .whereRaw(`?? = any(?::${idType}[])`, [column, ids as unknown as string])
      .where((rule) => declared.allow(rule, "t", right, principal, ...(isTold ? [under] : [])));
    if (isThrough)
      query.join(`${association.link.table} as l`, `l.${association.otherKey}`, "t.id");
    const pairs: readonly Pair[] = await query;
    return pairs.toSorted((a, b) => (inWords(a) < inWords(b) ? -1 : 1));
  };

  test("knowing the parent records does not change which records a rule allows", async () => {
    const { knex } = tenants.catalog;
    const counts = { same: 0, closed: 0 };
    await withSeed(random, async () => {
      for (const [name, holder] of declarations)
        for (const [role, association] of Object.entries(holder.associations)) {
          if (association.kind === "one") continue;
          const all: string[] = await knex(name).pluck("id");
          for (const principal of random.some(callers, rounds({ quick: 0.12, deep: 0.3 }))) {
            const right = random.pick(rights);
            const reached: string[] = await knex(`${name} as t`)
              .where((rule) => holder.allow(rule, "t", right, principal))
              .pluck("t.id");
            const context = `${name} ${role} ${right} of ${principal.name} ${principal.authorizationType}`;
            const sides = [[holder, association] as const, [principal, right] as const] as const;
            const some = random.some(all, 0.6);
            const pairs = await pairsUnder(...sides, [...new Set([...reached, ...some])], false);
            const ofSome = (ids: readonly string[]) =>
              pairs.filter(({ parent }) => ids.includes(parent)).map(inWords);
            const open = ofSome(reached);
            const [openByIds, someByIds] = await Promise.all(
              [reached, some].map((ids) => pairsUnder(...sides, ids, true)),
            );
            assert.equal(openByIds?.map(inWords), open, context);
            counts.same += open.length;
            const each = new Set(ofSome(some));
            const more = someByIds?.map(inWords).filter((pair) => !each.has(pair));
            assert.equal(more, [], context);
            counts.closed += some.filter((id) => !reached.includes(id)).length;
          }
        }
    });
    assert.ok(
      Math.min(counts.same, counts.closed) > rounds({ quick: 10, deep: 100 }),
      JSON.stringify(counts),
    );
  });

  test("each rule lists the foreign keys to the records that give the right", () => {
    const keys = (name: string) => declarations.get(name)?.allow.keys;
    assert.equal(keys("column"), ["securable_id"]);
    assert.equal(keys("hierarchylevel"), ["column_id"]);
    assert.equal(keys("securable"), []);
  });
});
