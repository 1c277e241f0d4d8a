import * as assert from "uvu/assert";
import { Memory } from "../../../engine/memory/memory.ts";
import { isSmall } from "../../../engine/pool/isSmall.ts";
import type { Expression, Output, Plan } from "../../../engine/types.ts";
import { suite } from "../../support/suite.ts";
import { bind, count, makeTable } from "./numbersTable.ts";

const x: Expression = { kind: "column", name: "x" };
const sum: Output = { kind: "aggregate", function: "sum", of: x };
const of = (rowCount: number, plan: Partial<Plan> = {}) => {
  const memory = new Memory({ budgetBytes: 2 ** 26 });
  return bind({ ...count, outputs: [sum], ...plan } as Plan, makeTable(memory, rowCount), memory);
};

suite("engine/pool/isSmall", (test) => {
  test("a plan that reads at most 20,000 values is small", () => {
    assert.ok(isSmall(of(0)));
    assert.ok(isSmall(of(20_000)));
    assert.not(isSmall(of(20_001)));
    assert.ok(isSmall(of(100, { grouped: false, outputs: [{ kind: "key", of: x }] })));
  });

  test("a plan with few rows is not small if it computes many expressions per row", () => {
    const added = (times: number): Expression =>
      times === 0 ? x : { kind: "call", function: "add", of: [added(times - 1), x] };
    const sums = (count: number, times: number): Partial<Plan> => ({
      outputs: Array.from({ length: count }, () => ({
        kind: "aggregate",
        function: "sum",
        of: added(times),
      })),
    });
    assert.ok(isSmall(of(1_000, sums(2, 10))));
    assert.not(isSmall(of(1_000, sums(100, 10))));
    assert.not(isSmall(of(1_000, sums(1, 90))));
    const tests = Array.from({ length: 90 }, (_, value) => ({
      kind: "compare" as const,
      left: added(1),
      operator: "=" as const,
      value,
    }));
    assert.not(isSmall(of(1_000, { filter: { kind: "or", of: tests } })));
    assert.ok(isSmall(of(10, { filter: { kind: "or", of: tests } })));
  });

  test("plans with distinct counts, percentiles or many groups are never small", () => {
    for (const name of ["distinctcount", "median"] as const)
      assert.not(isSmall(of(100, { outputs: [{ kind: "aggregate", function: name, of: x }] })));
    const key: Output = { kind: "key", of: x };
    assert.not(isSmall(of(19_000, { outputs: [key, sum] })));
  });

  test("plans with row-by-row expressions are never small, wherever the expressions are", () => {
    const repeated: Expression = {
      kind: "call",
      function: "repeat",
      of: [
        { kind: "call", function: "numberText", of: [x] },
        { kind: "literal", type: "number", value: 3 },
      ],
    };
    const length: Expression = { kind: "call", function: "length", of: [repeated] };
    for (const plan of [
      { grouped: false, outputs: [{ kind: "key", of: repeated }] },
      { grouped: false, outputs: [{ kind: "key", of: length }] },
      { outputs: [{ kind: "aggregate", function: "sum", of: length }] },
      { filter: { kind: "compare", left: repeated, operator: "=", value: "111" } },
      { filter: { kind: "not", of: { kind: "isNull", left: length } } },
    ] as const satisfies Partial<Plan>[])
      assert.not(isSmall(of(100, plan)), JSON.stringify(plan));
  });
});
