import * as assert from "uvu/assert";
import type { RecordAction } from "../../../core/base/contracts/index.ts";
import { declarations } from "../../../core/resources/index.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { spoil } from "../../support/spoil.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { openTenants, samples, type Tenants } from "./openTenants.ts";

type Json = Record<string, unknown>;

const injections = [
  "'; drop table canary; --",
  '"; drop table canary; --',
  "1) or (1=1",
  "' || (select token from account limit 1) || '",
  "$1",
  ":id",
  "?",
  "??",
  "\\?",
  "\\",
  "%",
  "${1}",
  "__proto__",
  "constructor",
  "{{7*7}}",
  "<script>alert(1)</script>",
  "a\r\nb",
];

const embedToken: Json = {
  type: "embed",
  username: "visitor",
  name: "Visitor",
  email: "visitor@example.org",
  role: "viewer",
  access: {
    datasets: [{ id: "x", rights: "use" }],
    collections: [{ id: "x", inheritRights: "use" }],
  },
  filters: [
    {
      clause: "where",
      origin: "global",
      securable_id: "x",
      column_id: "x",
      expression: "? = ?",
      value: "x",
    },
  ],
  parameter_overrides: { city: { value: "x" } },
  account_overrides: { x: { host: "x", properties: { a: "x" } } },
  hidden_columns: [{ column_id: "x" }],
};

/** Returns copies of a value in which one part at any depth is replaced. */
function replacedOnce(value: unknown, by: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [by];
  const copies = Object.entries(value).flatMap(([member, part]) =>
    replacedOnce(part, by).map((copy) =>
      Array.isArray(value) ? value.with(Number(member), copy) : { ...value, [member]: copy },
    ),
  );
  return [by, ...copies];
}

suite("core/resources: malformed and hostile calls", (test) => {
  let tenants: Tenants;
  test.before(async () => {
    tenants = await openTenants();
    await tenants.catalog.knex.raw("create table canary (id int); insert into canary values (1)");
  });
  test.after(async () => {
    assert.equal(await tenants.catalog.knex("canary").select("*"), [{ id: 1 }]);
    await tenants.close();
  });

  /** Returns the answer, or the error if the caller caused it. Any other error fails the test. */
  const callAsAda = async (resource: string, action: RecordAction, body: Json): Promise<Json> => {
    try {
      return await tenants.call(tenants.ada, resource, action, body);
    } catch (failure) {
      const { code, status } = failure as { code?: unknown; status?: unknown };
      if (typeof status !== "number" || status >= 500 || typeof code !== "string")
        throw new Error(`${resource} ${action} ${JSON.stringify(body).slice(0, 500)}`, {
          cause: failure,
        });
      return { refused: code };
    }
  };

  test("a list or object with too many entries is refused before the host checks the entries", async () => {
    const { ada, refusal } = tenants;
    const many = Object.fromEntries(
      Array.from({ length: 20_001 }, (_, index) => [`k${index}`, "x"]),
    );
    const cases: [string, Json][] = [
      ["securable", { type: "dashboard", custom_metadata: many }],
      ["securable", { type: "dashboard", contents: many }],
      ["securable", { type: "dashboard", name: many }],
      ["theme", { name: "N", theme: many }],
      ["alert", { ...samples["alert"], channels: Array.from({ length: 20_001 }, () => ({})) }],
      ["column", { order: 0, duration_levels: Array.from({ length: 20_001 }, () => 1) }],
    ];
    for (const [resource, properties] of cases) {
      const { message } = await refusal(ada, resource, "create", { properties });
      assert.match(message, /at most 20000 entries/, resource);
    }
  });

  test("every member for strings or numbers refuses values of other types", async () => {
    const odd = { toString: null, valueOf: null };
    const nested: [string, Json][] = [
      ...Object.entries(samples),
      ["acceleration", { schedule: { frequency_unit: "day", frequency_quantity: 1 } }],
      ["securable", { type: "dashboard", contents: { version: "0.1.99", views: [{ items: [] }] } }],
      ["authorization", embedToken],
    ].map(([resource, more]) => [
      resource as string,
      { ...samples[resource as string], ...(more as Json) },
    ]);
    for (const [resource, sample] of nested) {
      const base = { ...(await tenants.properties(tenants.ada, resource)), ...sample };
      for (const properties of replacedOnce(base, odd))
        await callAsAda(resource, "create", { properties: properties as Json });
    }
    for (const [resource, properties, member] of [
      ["aimessage", { content: { role: odd, content: "Hello" } }, "content"],
      ["acceleration", { schedule: { frequency_unit: odd, frequency_quantity: 1 } }, "schedule"],
      [
        "acceleration",
        { schedule: { frequency_unit: "day", frequency_quantity: odd } },
        "schedule",
      ],
    ] as const) {
      const base = await tenants.properties(tenants.ada, resource);
      const refused = await tenants.refusal(tenants.ada, resource, "create", {
        properties: { ...base, ...properties },
      });
      assert.equal(Object.keys(refused.validation ?? {}), [member], resource);
    }
  });

  let hostileCount = 0;
  /**
   * Returns the hostile strings to try on a resource. In the deep layer, these are all of them; in the quick layer,
   * some, which differ from resource to resource.
   */
  const nextInjections = () => {
    const first = hostileCount++ % 6;
    return rounds({
      quick: injections.filter((_, index) => index % 6 === first),
      deep: injections,
    });
  };

  for (const [resource, declaration] of declarations) {
    const { actions, fields } = declaration;
    test(`${resource}: a malformed find never causes an internal error`, async () => {
      const random = createRandom();
      const names = Object.keys(fields);
      const includes = Object.values(declaration.associations).map((each) => each.resource);
      await withSeed(random, async () => {
        for (let round = 0; round < rounds({ quick: 2, deep: 15, soak: 40 }); round++) {
          const find = {
            where: {
              [random.pick(names)]: random.pick<unknown>(["x", 1, null, ["x", null], { gt: "x" }]),
              or: [{ [random.pick(names)]: { in: ["x"] } }, { not: { id: "x" } }],
            },
            search: { keyphrase: "x", match_types: [random.pick(names)] },
            attributes: [random.pick(names)],
            order: [[random.pick(names), random.pick(["asc", "desc"])]],
            include: random.some(includes, 0.3).map((model) => ({ model, where: { id: "x" } })),
            limit: random.below(3),
            offset: random.below(3),
          };
          const parts = random.some(Object.entries(find), 0.5);
          await callAsAda(resource, "get", { find: spoil(Object.fromEntries(parts), random) });
        }
      });
    });

    const changes = actions.filter((action) => action === "create" || action === "update");
    if (changes.length > 0)
      test(`${resource}: malformed properties never cause an internal error`, async () => {
        const random = createRandom();
        const base = actions.includes("create")
          ? await tenants.properties(tenants.ada, resource)
          : { name: { en: "Organization" }, environment: null };
        const id = await tenants.make(tenants.ada, resource);
        await withSeed(random, async () => {
          for (let round = 0; round < rounds({ quick: 2, deep: 15, soak: 40 }); round++) {
            const more = random
              .some(Object.keys(fields), 0.2)
              .map((member) => [member, spoil({ a: 1 }, random)]);
            const properties = random.chance(0.5)
              ? { ...base, ...Object.fromEntries(more) }
              : spoil(base, random);
            await callAsAda(resource, random.pick(changes), { id, properties });
          }
        });
      });

    const texts = Object.entries(fields).filter(
      ([member, { storage, on, secret }]) =>
        storage === "text" && on.includes("create") && !secret && member !== "id",
    );
    if (actions.includes("create") && resource !== "user")
      test(`${resource}: a hostile string is refused, or stored unchanged without side effects`, async () => {
        const base = await tenants.properties(tenants.ada, resource);
        /** Creates a record with the string in the given members. Returns whether the create was refused. */
        const isRefused = async (members: readonly string[], text: string): Promise<boolean> => {
          const hostile = Object.fromEntries(members.map((member) => [member, text]));
          const made = await callAsAda(resource, "create", { properties: { ...base, ...hostile } });
          if (made["refused"] !== undefined) return true;
          for (const member of members) assert.equal(made[member], text, `${resource}.${member}`);
          // A search would read the script that runs for the caller instead of the author's script, so charts are not
          // searched by script.
          const isHidden = (member: string) => resource === "customchart" && member === "script";
          for (const [isFound, searched] of [
            [true, members.filter((member) => !isHidden(member))],
            [false, members.filter(isHidden)],
          ] as const) {
            if (searched.length === 0) continue;
            const where = Object.fromEntries(searched.map((member) => [member, text]));
            const found = await callAsAda(resource, "get", {
              find: { where: { id: made["id"], ...where } },
            });
            if (isFound) assert.is(found["count"], 1, `${resource}.${searched.join()} ${text}`);
            else assert.ok(found["refused"]);
          }
          if (actions.includes("delete")) await callAsAda(resource, "delete", { id: made["id"] });
          return false;
        };
        const names = texts.map(([member]) => member);
        /**
         * Members that refuse the string. All other members are tested together, in a single call.
         */
        const refusing = new Set<string>();
        for (const text of nextInjections()) {
          await callAsAda(resource, "get", {
            find: { where: JSON.parse(`{${JSON.stringify(text)}: "x"}`) },
          });
          await callAsAda(resource, "get", { find: { order: [[text, text]] } });
          if (actions.includes("associate"))
            await callAsAda(resource, "associate", {
              id: text,
              resource: { role: text, id: text },
            });
          const together = names.filter((member) => !refusing.has(member));
          const areKept = together.length > 0 && !(await isRefused(together, text));
          for (const member of areKept ? [...refusing] : names)
            if (await isRefused([member], text)) refusing.add(member);
        }
      });
  }
});
