import * as assert from "uvu/assert";
import { randomUUID } from "node:crypto";
import { suite } from "../../../support/suite.ts";
import { openTenantsFor } from "../openTenants.ts";

suite("core/resources/columns/formula", (test) => {
  const tenants = openTenantsFor(test);

  test("a formula stores its expression unchanged, with up to 10,000 characters", async () => {
    const { ada, call, records } = tenants;
    const dataset = await records.insert("securable", { type: "dataset", owner_id: ada.userId });
    const column = await records.insert("column", {
      order: 0,
      type: "numeric",
      securable_id: dataset.id,
    });
    const expression = `SUM({${dataset.id}:${column.id}}) /  countr() `;
    const formula = await call(ada, "formula", "create", { properties: { expression } });
    assert.equal(
      [formula["expression"], formula["type"], formula["user_id"]],
      [expression, "numeric", ada.userId],
    );
    const longest = { expression: "COUNTR()".padEnd(10_000) };
    await call(ada, "formula", "create", { properties: longest });
    assert.match(
      await tenants.refusedBy("formula", { expression: `${longest.expression}1` }),
      /at most 10000 characters/,
    );
    assert.match(await tenants.refusedBy("formula", { expression: "" }), /non-empty/);
    assert.match(await tenants.refusedBy("formula", {}), /properties\.expression is required/);
    for (const [wrong, words] of [
      [`SUM({${randomUUID()}:${randomUUID()}})`, /expression/],
      ["COUNTR(", /expression/],
      ["NOFUNCTION(1)", /NOFUNCTION/i],
    ] as const) {
      assert.match(await tenants.refusedBy("formula", { expression: wrong }), words);
      assert.match(await tenants.refusedBy("formula", { expression: wrong }, "update"), words);
    }
    const currency = { id: formula.id, resource: { role: "Currency", id: "EUR" } };
    assert.is((await call(ada, "formula", "associate", currency))["currency_id"], "EUR");
  });
});
