import type { Memory } from "../../../engine/memory/memory.ts";
import { bindPlan } from "../../../engine/plan/bindPlan.ts";
import type { BoundPlan } from "../../../engine/plan/boundPlan.ts";
import { Table } from "../../../engine/table/table.ts";
import type { Expression, Plan } from "../../../engine/types.ts";

/** A plan that counts the rows of the table `t`. */
export const count: Plan = {
  table: "t",
  grouped: true,
  outputs: [{ kind: "aggregate", function: "rows" }],
};

/** The absolute value of `x`. Plans that compute values run in the threads unless they read few rows. */
export const computed: Expression = {
  kind: "call",
  function: "abs",
  of: [{ kind: "column", name: "x" }],
};

/** A plan that counts the rows of the table `t` in the threads unless there are few. */
export const countInThreads: Plan = {
  ...count,
  filter: { kind: "compare", left: computed, operator: ">=", value: 0 },
};

/** Returns a table `t` whose column `x` increases by one from `first`. */
export function makeTable(memory: Memory, rowCount: number, first = 0.5): Table {
  const table = new Table("t", memory, true, 0);
  const values = Float64Array.from({ length: rowCount }, (_, row) => row + first);
  table.apply({
    add: [{ name: "x", type: "number" }],
    rows: { names: ["x"], batch: { rowCount, columns: [{ type: "number", values }] } },
  });
  return table;
}

/** Binds a plan to the current version of a table `t`. */
export function bind(plan: Plan, table: Table, memory: Memory): BoundPlan {
  return bindPlan(plan, new Map([["t", table.snapshot()]]), memory).plan;
}
