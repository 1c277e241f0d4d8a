import * as assert from "uvu/assert";
import type { Expression } from "../../../engine/index.ts";
import { Memory } from "../../../engine/memory/memory.ts";
import { bindPlan } from "../../../engine/plan/bindPlan.ts";
import { Table } from "../../../engine/table/table.ts";
import { suite } from "../../support/suite.ts";

/** Binds a grouping by a column or by its bins, and returns its mode and its key. */
function bindNumbers(values: readonly number[], of: Expression = { kind: "column", name: "x" }) {
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
  const outputs = [{ kind: "key", of }] as const;
  const { plan } = bindPlan(
    { table: "t", grouped: true, outputs },
    new Map([["t", table.snapshot()]]),
    memory,
  );
  return { mode: plan.grouping?.mode, key: plan.grouping?.keys[0] };
}

function bindBins(values: readonly number[], width: number, origin = 0) {
  return bindNumbers(values, { kind: "bin", of: { kind: "column", name: "x" }, width, origin });
}

suite("engine/plan/bindKey", (test) => {
  test("bins are numbered by position, however wide the column's range is", () => {
    const { mode, key } = bindBins([0, 999_999], 50_000);
    assert.is(mode, "direct");
    assert.ok(key?.kind === "whole");
    assert.is(key.cardinality, 21);
    assert.is(key.step, 50_000);
    const wide = bindBins([-(2 ** 50), 2 ** 50], 2 ** 40, 3).key;
    assert.ok(wide?.kind === "whole");
    assert.is(wide.cardinality, 2 ** 11 + 2);
  });

  test("whole numbers that fit in 32 bits are numbered, with 0 for null", () => {
    const fits = bindNumbers([-5, 2 ** 32 - 9, NaN]);
    assert.is(fits.mode, "hash");
    assert.ok(fits.key?.kind === "whole");
    assert.is(fits.key.cardinality, 2 ** 32 - 2);
    assert.is(bindNumbers([0, 2 ** 32 - 2]).key?.kind, "value");
  });

  test("groups of whole numbers form an array if there are not many more numbers than rows", () => {
    const values = Array.from({ length: 5000 }, (_, row) => row * 3);
    assert.is(bindNumbers(values).mode, "direct");
    assert.is(bindNumbers(values.map((value) => value * 100)).mode, "hash");
  });

  test("a key with too many bins, or bins of a fractional width, is bound as a value", () => {
    assert.is(bindBins([0, 2 ** 50], 10).key?.kind, "value");
    assert.is(bindBins([0, 10], 0.5).key?.kind, "value");
  });
});
