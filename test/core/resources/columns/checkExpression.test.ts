import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { openTenants, type Tenants } from "../openTenants.ts";

suite("core/resources/columns/checkExpression", (test) => {
  let tenants: Tenants;
  let dataset = "";
  const columns: Record<string, string> = {};

  test.before(async () => {
    tenants = await openTenants();
    const { ada, call } = tenants;
    dataset = (await call(ada, "securable", "create", { properties: { type: "dataset" } })).id;
    for (const [name, properties] of Object.entries({
      price: { type: "numeric" },
      city: { type: "hierarchy" },
      day: { type: "datetime", subtype: "date" },
    })) {
      const associations = [{ role: "Securable", id: dataset }];
      const body = { properties: { order: 0, ...properties }, associations };
      columns[name] = (await call(ada, "column", "create", body)).id;
    }
  });
  test.after(() => tenants.close());

  const written = (name: string) => `{${dataset}:${columns[name]}}`;
  const verdictOf = async (resource: string, expression: unknown, id?: string) => {
    const body = { properties: { expression }, ...(id !== undefined && { id }) };
    const answer = await tenants.call(tenants.ada, resource, "validate", body);
    return answer as Record<string, unknown> as {
      readonly valid: boolean;
      readonly type?: string;
      readonly validation?: { readonly expression: readonly string[] };
    };
  };

  test("validating a column returns the API type of its expression", async () => {
    for (const [expression, type] of [
      [`${written("price")} * 2`, "numeric"],
      [`CAST(${written("price")}, hierarchy) || ${written("city")}`, "hierarchy"],
      [`${written("city")} = 'Ghent'`, "hierarchy"],
      [`date_trunc('month', ${written("day")})`, "datetime"],
      [`${written("price").toUpperCase()} + 1`, "numeric"],
    ])
      assert.equal(await verdictOf("column", expression), { valid: true, type }, expression);
    assert.equal(await verdictOf("column", "1 + 1", columns["price"]), {
      valid: true,
      type: "numeric",
    });
  });

  test("validating a formula returns its type, and accepts the request body of the SDK", async () => {
    const expression = `SUM(${written("price")}) / COUNTR()`;
    assert.equal(await verdictOf("formula", expression), { valid: true, type: "numeric" });
    const { ada, call } = tenants;
    const answer: Record<string, unknown> = await call(ada, "formula", "validate", {
      resource: { expression },
      properties: { expression },
    });
    assert.equal(answer, { valid: true, type: "numeric" });
    assert.match(
      (await verdictOf("formula", written("price"))).validation?.expression[0] ?? "",
      /line 1, column 1: expected an aggregate of the column/,
    );
  });

  test("validating a column without an expression succeeds and returns no type", async () => {
    const { ada, call } = tenants;
    const answer: Record<string, unknown> = await call(ada, "column", "validate", {
      properties: { order: 0 },
    });
    assert.equal(answer, { valid: true });
    assert.equal(await verdictOf("column", null), { valid: true });
  });

  test("validating an invalid expression returns the error's position and the expected syntax", async () => {
    for (const [expression, message] of [
      [
        `${written("price")} +\n 'a'`,
        /^line 2, column 2: expected a number after \+, found the string 'a'/,
      ],
      [
        `sum(${written("price")})`,
        /found the aggregate sum; aggregates are only allowed in formulas/,
      ],
      ["", /^line 1, column 1: expected a value/],
      ["flor(1)", /did you mean floor/],
      [`${"(".repeat(200)}1`, /at most 100 levels/],
    ] as const) {
      const { valid, type, validation } = await verdictOf("column", expression);
      assert.equal({ valid, type }, { valid: false, type: undefined }, expression);
      assert.is(validation?.expression.length, 1);
      assert.match(validation?.expression[0] ?? "", message);
    }
    const { valid, validation } = await verdictOf("column", "1+".repeat(6000));
    assert.is(valid, false);
    assert.match(validation?.expression[0] ?? "", /at most 10000 characters/);
  });

  test("a column that the caller may not see causes the same error in an expression as an unknown column", async () => {
    const { eve, call } = tenants;
    const ids = [
      [dataset, columns["price"]],
      [randomUUID(), randomUUID()],
      [dataset, randomUUID()],
      ["constructor", "__proto__"],
    ] as const;
    for (const [datasetId, columnId] of ids) {
      const reference = `{${datasetId}:${columnId}}`;
      const answer: Record<string, unknown> = await call(eve, "column", "validate", {
        properties: { expression: `1 + ${reference}` },
      });
      assert.equal(answer["validation"], {
        expression: [
          `line 1, column 5: expected a column that exists and that you may see, found ${reference}`,
        ],
      });
    }
  });

  test("an expression can refer to a column only through the column's own dataset", async () => {
    const { ada, call } = tenants;
    const other = (await call(ada, "securable", "create", { properties: { type: "dataset" } })).id;
    const { validation } = await verdictOf("column", `{${other}:${columns["price"]}}`);
    assert.match(validation?.expression[0] ?? "", /a column that exists and that you may see/);
    const loose = await call(ada, "column", "create", { properties: { order: 0 } });
    assert.is((await verdictOf("column", `{${dataset}:${loose.id}}`)).valid, false);
  });

  test("the error for a column that has no values names the column's type", async () => {
    const { ada, call, records } = tenants;
    const { id } = await call(ada, "column", "create", {
      properties: { order: 0, type: "spatial" },
    });
    await records.change("column", id, { securable_id: dataset });
    const { validation } = await verdictOf("column", `{${dataset}:${id}}`);
    assert.match(validation?.expression[0] ?? "", /found a column of type spatial/);
  });

  test("`create` and `update` report the errors in an expression", async () => {
    const { ada, refusal } = tenants;
    const properties = { order: 0, expression: "1 +" };
    for (const { status, code, validation } of [
      await refusal(ada, "column", "create", { properties }),
      await refusal(ada, "column", "update", {
        id: columns["price"],
        properties: { expression: "1 +" },
      }),
    ]) {
      assert.equal([status, code], [400, "MEMBER_INVALID"]);
      assert.match(
        validation?.["expression"]?.[0] ?? "",
        /^line 1, column 4: expected a value after \+/,
      );
    }
  });

  test("a derived column has the type of its expression and is not stored", async () => {
    const { ada, call, refusal, rows } = tenants;
    const expression = `${written("price")} * 2`;
    const { id, type } = await call(ada, "column", "create", {
      properties: { order: 9, expression, source_name: "double" },
    });
    assert.is(type, "numeric");
    await call(ada, "column", "associate", { id, resource: { role: "Securable", id: dataset } });
    const said = await refusal(ada, "column", "create", {
      properties: { order: 9, expression, type: "datetime" },
    });
    assert.equal([said.status, said.code], [400, "MEMBER_INVALID"]);
    assert.match(said.message, /must be numeric/);
    const other = await refusal(ada, "column", "update", {
      id,
      properties: { expression: "'text'" },
    });
    assert.is(other.status, 409);
    for (const [column, to] of [
      [id, null],
      [columns["price"], expression],
    ] as const) {
      const changed = await refusal(ada, "column", "update", {
        id: column,
        properties: { expression: to },
      });
      assert.equal([changed.status, changed.code], [400, "MEMBER_INVALID"]);
    }
    const [kept] = await rows(ada, "column", { where: { id } });
    assert.is(kept?.["expression"], expression);
    await call(ada, "column", "delete", { id });
  });
});
