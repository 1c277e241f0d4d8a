import * as assert from "uvu/assert";
import { Memory } from "../../../engine/memory/memory.ts";
import { bindPlan } from "../../../engine/plan/bindPlan.ts";
import { Table } from "../../../engine/table/table.ts";
import { suite } from "../../support/suite.ts";

/** Binds a grouping by bins of a column, and returns its mode and its key. */
function bindBins(values: readonly number[], width: number, origin = 0) {
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
  const of = { kind: "bin", of: { kind: "column", name: "x" }, width, origin } as const;
  const outputs = [{ kind: "key", of }] as const;
  const { plan } = bindPlan(
    { table: "t", grouped: true, outputs },
    new Map([["t", table.snapshot()]]),
    memory,
  );
  return { mode: plan.grouping?.mode, key: plan.grouping?.keys[0] };
}

suite("engine/plan/bindKey", (test) => {
  test("bins are numbered by their position, however wide the range of the column is", () => {
    const { mode, key } = bindBins([0, 999_999], 50_000);
    assert.is(mode, "direct");
    assert.ok(key?.kind === "whole");
    assert.is(key.cardinality, 21);
    assert.is(key.step, 50_000);
    const wide = bindBins([-(2 ** 50), 2 ** 50], 2 ** 40, 3).key;
    assert.ok(wide?.kind === "whole");
    assert.is(wide.cardinality, 2 ** 11 + 2);
  });

  test("a key of too many bins, or of bins with a fractional width, is bound as a value", () => {
    assert.is(bindBins([0, 2 ** 50], 10).key?.kind, "value");
    assert.is(bindBins([0, 10], 0.5).key?.kind, "value");
  });
});
