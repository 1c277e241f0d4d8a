import * as assert from "uvu/assert";
import { Memory } from "../../../engine/memory/memory.ts";
import { Heap } from "../../../engine/operators/task/heap.ts";
import { arenasOf } from "../../../engine/pool/arenasOf.ts";
import { CallingThread } from "../../../engine/pool/callingThread.ts";
import { hashSparseGroups } from "../../../engine/pool/hashSparseGroups.ts";
import { MainArenas } from "../../../engine/pool/mainArenas.ts";
import { QueryScratch } from "../../../engine/pool/queryScratch.ts";
import { QueryTasks } from "../../../engine/pool/queryTasks.ts";
import { runPlan } from "../../../engine/pool/runPlan.ts";
import { Table } from "../../../engine/table/table.ts";
import type { AggregateFunction } from "../../../engine/aggregates.ts";
import type { Expression, Output, Plan, Predicate } from "../../../engine/types.ts";
import { createRandom } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { bind } from "./numbersTable.ts";

const rowCount = 150_000;
const widths = 800;
const heights = 600;
const column = (name: string): Expression => ({ kind: "column", name });
const aggregate = (name: AggregateFunction, of: string): Output => ({
  kind: "aggregate",
  function: name,
  of: column(of),
});

const random = createRandom();
const of = (make: (row: number) => number) =>
  Float64Array.from({ length: rowCount }, (_, row) => make(row));
const columns = {
  // A few values occur often, so that some groups have several rows.
  width: of(() => random.below(random.chance(0.5) ? 5 : widths)),
  height: of(() => random.below(random.chance(0.5) ? 5 : heights)),
  row: of((row) => row),
  amount: of(() => random.below(1000)),
  value: of(() => (random.chance(0.1) ? NaN : random.below(500) / 3)),
};

function openTable() {
  const memory = new Memory({ budgetBytes: 2 ** 28 });
  const table = new Table("t", memory, true, 0);
  const names = Object.keys(columns);
  const batch = {
    rowCount,
    columns: Object.values(columns).map((values) => ({ type: "number" as const, values })),
  };
  table.apply({ add: names.map((name) => ({ name, type: "number" })), rows: { names, batch } });
  const arenas = new MainArenas(memory);
  const heap = new Heap();
  return (plan: Plan) => {
    const bound = bind(plan, table, memory);
    const tasks = new QueryTasks(new CallingThread(arenas, heap), arenas);
    const scratch = new QueryScratch(memory);
    const used = arenasOf(bound, arenas.view());
    return { plan: bound, request: { tasks, scratch, arenas, heap, used, scanCount: 2 } };
  };
}

const plan: Plan = {
  table: "t",
  grouped: true,
  outputs: [
    { kind: "key", of: column("width") },
    { kind: "key", of: column("height") },
    { kind: "aggregate", function: "rows" },
    aggregate("max", "value"),
    aggregate("distinctcount", "amount"),
    aggregate("median", "amount"),
  ],
  order: [
    { output: 0, descending: false },
    { output: 1, descending: false },
  ],
};

const below = (name: string, value: number): Predicate => ({
  kind: "compare",
  left: column(name),
  operator: "<",
  value,
});

/** The answer to the plan, from plain code. */
function expectedRows(passes: (row: number) => boolean): number[][] {
  const groups = new Map<number, number[]>();
  for (let row = 0; row < rowCount; row++) {
    if (!passes(row)) continue;
    const key = columns.width[row] * heights + columns.height[row];
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups]
    .sort(([one], [other]) => one - other)
    .map(([key, rows]) => {
      const amounts = rows.map((row) => columns.amount[row]).sort((a, b) => a - b);
      const values = rows.map((row) => columns.value[row]).filter((value) => value === value);
      const middle = (amounts.length - 1) / 2;
      return [
        Math.floor(key / heights),
        key % heights,
        rows.length,
        values.length > 0 ? Math.max(...values) : NaN,
        new Set(amounts).size,
        (amounts[Math.floor(middle)] + amounts[Math.ceil(middle)]) / 2,
      ];
    });
}

suite("engine/pool/hashSparseGroups", (test) => {
  test("groups are hashed if few rows pass a filter or zone maps, and the answer stays the same", async () => {
    const open = openTable();
    const cases: readonly [Predicate, (row: number) => boolean, "direct" | "hash"][] = [
      [below("amount", 20), (row) => columns.amount[row] < 20, "hash"],
      [below("row", 2000), (row) => row < 2000, "hash"],
      [below("amount", 0), () => false, "hash"],
      [below("amount", 990), (row) => columns.amount[row] < 990, "direct"],
    ];
    for (const [filter, passes, mode] of cases) {
      const { plan: bound, request } = open({ ...plan, filter });
      assert.is(bound.grouping?.mode, "direct");
      const { plan: decided } = await hashSparseGroups(bound, request);
      assert.is(decided.grouping?.mode, mode);
      if (mode === "direct") assert.is(decided, bound);
      else {
        const { columns: found } = await runPlan(bound, request);
        const rows = Array.from(found[0], (_, row) => found.map((values) => values[row]));
        assert.equal(rows, expectedRows(passes));
      }
      request.scratch.free();
    }
  });

  test("plans without a filter or with few groups are not sampled", async () => {
    const open = openTable();
    const few = [{ kind: "key", of: column("width") } as const];
    for (const each of [plan, { ...plan, outputs: few, order: [], filter: below("amount", 20) }]) {
      const { plan: bound, request } = open(each);
      assert.equal(await hashSparseGroups(bound, request), { plan: bound });
    }
  });
});
