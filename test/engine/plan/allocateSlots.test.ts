import assert from "node:assert/strict";
import { allocateSlots, type RegisteredSum } from "../../../engine/plan/allocateSlots.ts";
import { suite } from "../../support/suite.ts";

/** Allocates the slots of sums, each over a different column. */
function allocate(sums: readonly Partial<RegisteredSum>[], needsRows = false) {
  const registered = sums.map((sum, column): [string, RegisteredSum] => [
    String(column),
    {
      summand: { of: { kind: "column", column }, decimals: 0 },
      isExact: true,
      hasNulls: false,
      isCounted: false,
      ...sum,
    },
  ]);
  return allocateSlots({
    sums: new Map(registered),
    extents: new Map(),
    variances: new Map(),
    covariances: new Map(),
    needsRows,
  });
}

suite("engine/plan/allocateSlots", (test) => {
  test("if there are no nulls, a count of values shares the row count's slot", () => {
    const { slots, places } = allocate([
      {},
      { isCounted: true },
      { isCounted: true, hasNulls: true },
    ]);
    assert.deepEqual(
      slots.map(({ kind }) => kind),
      ["rowsSum", "count"],
    );
    assert.deepEqual(places.sum("1").count, places.rows);
    assert.deepEqual(places.sum("2").count, { slot: 1, lane: 0 });
  });

  test("a count of a column without nulls adds a row count to a plan that has none", () => {
    const { slots, places } = allocate([{ isCounted: true }]);
    assert.deepEqual(slots, [{ kind: "rows" }]);
    assert.deepEqual(places.sum("0").count, { slot: 0, lane: 0 });
    assert.deepEqual(
      allocate([{ isCounted: true, hasNulls: true }]).slots.map(({ kind }) => kind),
      ["count"],
    );
  });

  test("a sum shares the slot of the count of its values if there are nulls, and otherwise uses the row count", () => {
    const { slots, places } = allocate([
      { isExact: false },
      { hasNulls: true },
      { isExact: false },
      {},
    ]);
    assert.deepEqual(
      slots.map(({ kind }) => kind),
      ["rowsSum", "pair", "countSum"],
    );
    assert.deepEqual(places.sum("3"), { sum: { slot: 0, lane: 1 }, count: places.rows });
    assert.deepEqual(places.sum("1"), {
      sum: { slot: 2, lane: 1 },
      count: { slot: 2, lane: 0 },
    });
    assert.deepEqual(places.sum("2"), { sum: { slot: 1, lane: 1 }, count: places.rows });
  });
});
