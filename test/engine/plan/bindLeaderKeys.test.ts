import * as assert from "uvu/assert";
import { Memory } from "../../../engine/memory/memory.ts";
import { bindPlan } from "../../../engine/plan/bindPlan.ts";
import { Table } from "../../../engine/table/table.ts";
import { suite } from "../../support/suite.ts";

/** Binds a plan that keeps the first `count` rows of each value of `x`. */
function bindLimit(values: readonly number[], count: number, grouped = false) {
  const memory = new Memory({ budgetBytes: 2 ** 26 });
  const table = new Table("t", memory, true, 0);
  table.apply({
    add: [{ name: "x", type: "number" }],
    rows: {
      names: ["x"],
      batch: {
        rowCount: values.length,
        columns: [{ type: "number", values: Float64Array.from(values) }],
      },
    },
  });
  const { plan } = bindPlan(
    {
      table: "t",
      grouped,
      outputs: [{ kind: "key", of: { kind: "column", name: "x" } }],
      groupLimit: { outputs: [0], count, offset: 1 },
    },
    new Map([["t", table.snapshot()]]),
    memory,
  );
  return plan.leaderKeys?.map(({ cardinality }) => cardinality);
}

suite("engine/plan/bindLeaderKeys", (test) => {
  test("the keys of a limit per group are numbered, with 0 for null", () => {
    assert.equal(bindLimit([5, 9, NaN], 2), [6]);
    assert.is(bindLimit([5, 9.123456789], 2), undefined);
  });

  test("keys are not numbered in advance if their combinations need much memory", () => {
    assert.equal(bindLimit([0, 2 ** 20 / 4 - 2], 3), [2 ** 20 / 4]);
    assert.is(bindLimit([0, 2 ** 20 / 4 - 1], 3), undefined);
  });

  test("groups of a grouped plan have no numbers in advance", () => {
    assert.is(bindLimit([5, 9, NaN], 2, true), undefined);
  });
});
