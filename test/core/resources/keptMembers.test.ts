import * as assert from "uvu/assert";
import { isDeepStrictEqual } from "node:util";
import { declarations, problemOf, type Field } from "../../../core/resources/index.ts";
import { suite } from "../../support/suite.ts";
import { memberUses } from "./members/memberUses.ts";
import { openTenants, type Tenants } from "./openTenants.ts";

const isKept = (resource: string, member: string): boolean =>
  memberUses[resource]?.[member]?.kind === "kept";

suite("core/resources/keptMembers", (test) => {
  let tenants: Tenants;
  let candidates: readonly unknown[];
  test.before(async () => {
    tenants = await openTenants();
    const columnId = await tenants.make(tenants.ada, "column");
    const texts =
      "#1a2b3c https://example.org/a Europe/Brussels Asia/Tokyo 2024-01-05T00:00:00.000Z 32px 48px week month " +
      "short time datetime hierarchy slack sms openid saml delta insert item dataset sample";
    candidates = [
      { unit: "week", quantity: 2 },
      { frequency_unit: "week", frequency_quantity: 2 },
      { role: "user", content: "another" },
      { a: 1 },
      [columnId],
      ["sample"],
      [1],
      columnId,
      ...texts.split(" "),
      3,
      true,
      false,
    ];
  });
  test.after(() => tenants.close());

  /** Returns a valid value that differs from the record's current value. */
  const another = (field: Field, present: unknown): unknown =>
    candidates.find(
      (each) => problemOf(field, each) === undefined && !isDeepStrictEqual(each, present),
    );

  for (const [name, { fields, actions }] of declarations) {
    const kept = Object.entries(fields).filter(
      ([member, field]) =>
        isKept(name, member) && field.on.length > 0 && !field.secret && !field.sealed,
    );
    if (kept.length === 0) continue;
    test(`${name}: members that are stored only for clients are returned as they were sent`, async () => {
      const { ada, call, make, rows } = tenants;
      const read = async (id: string) => {
        const attributes = kept.map(([member]) => member);
        const [row] = await rows(ada, name, { where: { id }, attributes });
        if (!row) throw new Error(`there is no ${name}`);
        return row;
      };
      const base = await tenants.properties(ada, name);
      const send = async (action: "create" | "update", id: string, of: typeof kept) => {
        const before = await read(id);
        // The query of an alert must refer to an existing dataset.
        const { query } = await tenants.properties(ada, name);
        const sent = Object.fromEntries(
          of.map(([member, field]) => [
            member,
            name === "alert" && member === "query" ? query : another(field, before[member]),
          ]),
        );
        for (const [member, value] of Object.entries(sent))
          assert.is.not(value, undefined, `no value is known for ${name}.${member}`);
        // Only embed tokens have members that determine the look of pages.
        const ofPage = name === "authorization" ? { type: "embed", username: "kept" } : {};
        const properties = action === "create" ? { ...base, ...ofPage, ...sent } : sent;
        const answer = await call(ada, name, action, { id, properties });
        // Lists omit embed tokens.
        const after: Readonly<Record<string, unknown>> =
          name === "authorization" ? answer : await read(answer.id);
        for (const [member, value] of Object.entries(sent))
          assert.equal(after[member], value, `${action} ${member}`);
      };
      const id = actions.includes("create")
        ? (await call(ada, name, "create", { properties: base })).id
        : await make(ada, name);
      const isOn = (action: "create" | "update") =>
        kept.filter(([, { on }]) => on.includes(action));
      if (actions.includes("update")) await send("update", id, isOn("update"));
      const once = isOn("create").filter(([, { on }]) => !on.includes("update"));
      if (once.length > 0) await send("create", id, once);
    });
  }
});
