import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import type { RecordAction } from "../../../../core/base/contracts/index.ts";
import { declarations } from "../../../../core/resources/index.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { openTenants, type Tenants } from "../openTenants.ts";

/** Maximum number of statements per call of each action, including begin, commit and the audit event. */
const most: Readonly<Partial<Record<RecordAction, number>>> = {
  create: 10,
  get: 1,
  update: 9,
  delete: 9,
  associate: 12,
  dissociate: 12,
  validate: 1,
};

suite("core/resources/kernel: number of statements", (test) => {
  let tenants: Tenants;
  const statements: string[] = [];
  const listen = ({ sql }: { sql: string }) => void statements.push(sql);
  test.before(async () => {
    tenants = await openTenants();
    tenants.catalog.knex.on("query", listen);
  });
  test.after(async () => {
    tenants.catalog.knex.off("query", listen);
    await tenants.close();
  });

  const count = async (resource: string, action: RecordAction, body: Record<string, unknown>) => {
    statements.length = 0;
    await tenants.call(tenants.ada, resource, action, body);
    const allowed = most[action] ?? 0;
    assert.ok(
      statements.length <= allowed,
      `${resource} ${action} took ${statements.length}, not ${allowed}:\n${statements.join("\n")}`,
    );
    return statements.length;
  };

  for (const [resource, { actions }] of declarations)
    test(`${resource}: no action runs more SQL statements than allowed`, async () => {
      const { ada, make, properties } = tenants;
      const id = await make(ada, resource);
      if (actions.includes("get")) await count(resource, "get", { find: { where: { id } } });
      if (actions.includes("create") && resource !== "embedfiltergroup")
        await count(resource, "create", { properties: await properties(ada, resource) });
      if (actions.includes("validate")) await count(resource, "validate", { properties: {} });
      if (actions.includes("update")) await count(resource, "update", { id, properties: {} });
      if (actions.includes("delete")) await count(resource, "delete", { id });
    });

  // All resources share the code of these calls, so the quick layer tests some of them.
  for (const [index, [resource, { actions }]] of [...declarations].entries())
    (index % 4 === 0 ? test : test.deep)(
      `${resource}: a call with another organization's id runs the same SQL statements as a call with a random id`,
      async () => {
        const { ada, eve, make, call } = tenants;
        const target = async (id: string) => ({ role: "Owner", id });
        const foreign = await make(ada, resource);
        for (const action of actions) {
          if (action === "create") continue;
          const seen = [];
          for (const id of [foreign, randomUUID()]) {
            const body = {
              get: { find: { where: { id } } },
              associate: { id, resource: await target(id) },
              dissociate: { id, resource: await target(id) },
            };
            statements.length = 0;
            await call(eve, resource, action, {
              id,
              properties: {},
              ...(body as Record<string, object>)[action],
            }).catch((failure: unknown) => failure);
            seen.push(statements.map((sql) => sql.replaceAll(/\s+/g, " ")));
          }
          if (!isReference(resource)) assert.equal(seen[0], seen[1], action);
        }
      },
    );
  const isReference = (resource: string) =>
    ["country", "locale", "currency", "timezone"].includes(resource);

  test("`associate` runs the same number of SQL statements for any number of records", async () => {
    const { ada, bob, make } = tenants;
    const id = await make(ada, "securable");
    const length = rounds({ quick: 10, deep: 30 });
    const tags = await Promise.all(Array.from({ length }, () => make(ada, "tag")));
    const counts = [];
    for (const tag of tags)
      counts.push(
        await count("securable", "associate", { id, resource: { role: "Tags", id: tag } }),
      );
    counts.push(
      await count("securable", "associate", { id, resource: { role: "Users", id: bob.userId } }),
    );
    assert.is(new Set(counts).size, 1, counts.join());
    for (const tag of tags)
      await count("securable", "dissociate", { id, resource: { role: "Tags", id: tag } });
  });

  test("10,000 values of a hierarchy are written in batches of a thousand", async () => {
    const { ada, call, make } = tenants;
    const id = await make(ada, "column");
    const updates = Array.from({ length: 10_000 }, (_, index) => ({ id: `v${index}` }));
    statements.length = 0;
    await call(ada, "hierarchy", "update", { id, properties: { updates } });
    assert.ok(statements.length <= 26, String(statements.length));
  });
});
