import * as assert from "uvu/assert";
import { randomUUID } from "node:crypto";
import { suite } from "../../support/suite.ts";
import { openTenants, type Tenants } from "./openTenants.ts";

type Json = Record<string, unknown>;

suite("core/resources/formula", (test) => {
  let tenants: Tenants;
  test.before(async () => {
    tenants = await openTenants();
  });
  test.after(() => tenants.close());

  const refusedBy = async (
    resource: string,
    properties: Json,
    action: "create" | "update" = "create",
  ) => {
    const id = action === "update" ? await tenants.make(tenants.ada, resource) : undefined;
    return (await tenants.refusal(tenants.ada, resource, action, { id, properties })).message;
  };

  test("a formula keeps its expression as it came, up to 10,000 characters", async () => {
    const { ada, call } = tenants;
    const expression = `SUM({${randomUUID()}:${randomUUID()}}) / COUNTR() -- "it's"`;
    const formula = await call(ada, "formula", "create", { properties: { expression } });
    assert.equal(
      [formula["expression"], formula["type"], formula["user_id"]],
      [expression, "numeric", ada.userId],
    );
    const longest = { expression: "1".repeat(10_000) };
    await call(ada, "formula", "create", { properties: longest });
    assert.match(
      await refusedBy("formula", { expression: `${longest.expression}1` }),
      /at most 10000 characters/,
    );
    assert.match(await refusedBy("formula", { expression: "" }), /not be empty/);
    assert.match(await refusedBy("formula", {}), /properties\.expression is required/);
    const currency = { id: formula.id, resource: { role: "Currency", id: "EUR" } };
    assert.is((await call(ada, "formula", "associate", currency))["currency_id"], "EUR");
  });
});
