import * as assert from "uvu/assert";
import { Memory } from "../../../engine/memory/memory.ts";
import { Heap } from "../../../engine/operators/task/heap.ts";
import type { BoundPlan } from "../../../engine/plan/boundPlan.ts";
import { arenasOf } from "../../../engine/pool/arenasOf.ts";
import { CallingThread } from "../../../engine/pool/callingThread.ts";
import { MainArenas } from "../../../engine/pool/mainArenas.ts";
import { QueryScratch } from "../../../engine/pool/queryScratch.ts";
import { QueryTasks } from "../../../engine/pool/queryTasks.ts";
import { runPartitioned } from "../../../engine/pool/runPartitioned.ts";
import { runPlan } from "../../../engine/pool/runPlan.ts";
import { Table } from "../../../engine/table/table.ts";
import type { Expression, Output, Plan, Predicate } from "../../../engine/types.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { rejects } from "../tables.ts";
import { bind } from "./numbersTable.ts";

const rowCount = rounds({ quick: 100_000, deep: 200_000 });
const budgetBytes = 2 ** 28;
/** Memory that is left for queries, in bytes, and the memory of other queries that leaves none for partitioned rows. */
const scratchBytes = 2 ** 27;
const othersBytes = 2 ** 26;
const column = (name: string): Expression => ({ kind: "column", name });
const aggregate = (
  name: "sum" | "median" | "distinctcount" | "stddev" | "max",
  of: string,
): Output => ({ kind: "aggregate", function: name, of: column(of) });
const rows: Output = { kind: "aggregate", function: "rows" };

type Columns = Readonly<Record<string, Float64Array | Int32Array>>;
const dictionary = Array.from({ length: 500 }, (_, code) => `word ${(code * 7) % 500}`);

/** Opens a table `t` with columns of numbers and of codes of strings, and ways to run plans over it in this thread. */
function openTable(columns: Columns, isTight = false) {
  const memory = new Memory({ budgetBytes, scratchBytes });
  const table = new Table("t", memory, true, 0);
  const names = Object.keys(columns);
  table.apply({
    add: names.map((name) => ({ name, type: typeOf(columns[name]) })),
    rows: {
      names,
      batch: {
        rowCount,
        columns: Object.values(columns).map((values) =>
          values instanceof Int32Array
            ? { type: "text", codes: values, dictionary }
            : { type: "number", values },
        ),
      },
    },
  });
  if (isTight) memory.allocateScratch(othersBytes, 0);
  const arenas = new MainArenas(memory);
  const heap = new Heap();
  const open = (plan: BoundPlan) => {
    const tasks = new QueryTasks(new CallingThread(arenas, heap), arenas);
    const scratch = new QueryScratch(memory);
    return { plan, tasks, scratch, arenas, heap, used: arenasOf(plan, arenas.view()) };
  };
  const refusals: (string | undefined)[] = [];
  return {
    memory,
    refusals,
    bind: (plan: Plan) => bind(plan, table, memory),
    /** Runs a plan by partitioning its rows. */
    async partition(plan: BoundPlan, isCancelled = false) {
      const { grouping } = plan;
      if (!grouping) throw new TypeError("the plan has no groups");
      const opened = open(plan);
      const running = runPartitioned({ ...opened, grouping, taskCount: 2 });
      if (isCancelled) opened.tasks.cancel();
      return running.finally(() => opened.scratch.free());
    },
    /** Runs a plan in any way. */
    async run(plan: BoundPlan) {
      const opened = open(plan);
      const tellPartitioning = (refusal: string | undefined) => refusals.push(refusal);
      const running = runPlan(plan, { ...opened, scanCount: 2, tellPartitioning });
      return running.finally(() => opened.scratch.free());
    },
  };
}

const typeOf = (values: Float64Array | Int32Array) =>
  values instanceof Int32Array ? ("text" as const) : ("number" as const);

const random = createRandom();
const of = (make: (row: number) => number) =>
  Float64Array.from({ length: rowCount }, (_, row) => make(row));
const edges = [2 ** 53 - 1, -(2 ** 53 - 1), 2 ** 32, -(2 ** 32), 0, -0, NaN];
const columns = {
  user: of(() =>
    random.chance(0.01) ? random.pick(edges) : (random.below(90_000) - 45_000) * 2 ** 30,
  ),
  real: of(() => (random.chance(0.05) ? NaN : random.below(60_000) / 7)),
  dense: of(() => random.below(2 ** 31)),
  few: of(() => random.below(40)),
  word: Int32Array.from({ length: rowCount }, () => random.below(501) - 1),
  amount: of(() => random.below(1000)),
  value: of(() => (random.chance(0.1) ? NaN : random.pick([-0, 0, random.below(500) / 3]))),
};

const keyLists = [["user", "word"], ["real"], ["user"], ["few", "dense"]];

suite("engine/pool/runPartitioned", (test) => {
  test("answers over partitioned rows have the same bits as those of whole hash tables", async () => {
    await withSeed(random, async () => {
      const roomy = openTable(columns);
      const tight = openTable(columns, true);
      for (let round = 0; round < rounds({ quick: 1, deep: 4, soak: 60 }); round++) {
        const keys = keyLists[round % keyLists.length]!;
        const outputs = [
          ...keys.map((name): Output => ({ kind: "key", of: column(name) })),
          rows,
          ...random.some(
            [
              aggregate("sum", "amount"),
              aggregate("sum", "value"),
              aggregate("stddev", "value"),
              aggregate("max", "value"),
              aggregate("median", "value"),
              aggregate("distinctcount", "value"),
              aggregate("distinctcount", "user"),
              aggregate("distinctcount", "few"),
            ],
            0.4,
          ),
        ];
        const filter: Predicate = {
          kind: "compare",
          left: column("amount"),
          operator: "<",
          value: random.pick([600, 990]),
        };
        const output = random.below(outputs.length);
        const plan: Plan = {
          table: "t",
          grouped: true,
          outputs,
          ...(random.chance(0.5) && { filter }),
          ...(random.chance(0.3) && {
            having: { kind: "compare", output: keys.length, operator: ">", value: 1 },
          }),
          ...(random.chance(0.6) && { order: [{ output, descending: random.chance(0.5) }] }),
          ...(random.chance(0.5) && { limit: { count: random.pick([10, 70_000]), offset: 3 } }),
        };
        const found = await roomy.partition(roomy.bind(plan));
        const expected = await tight.run(tight.bind(plan));
        assert.ok(found, JSON.stringify(plan));
        assert.is(found?.scannedRowCount, rowCount);
        found?.columns.forEach((values, index) => {
          assert.is(values.length, expected.columns[index].length);
          const wrong = values.findIndex(
            (each, row) => !Object.is(each, expected.columns[index][row]),
          );
          assert.is(wrong, -1, `column ${index} of ${JSON.stringify(plan)}`);
        });
      }
      assert.is(roomy.memory.scratchUsedBytes, 0);
    });
  });

  const byUser: Plan = {
    table: "t",
    grouped: true,
    outputs: [{ kind: "key", of: column("user") }, rows],
    limit: { count: 5, offset: 0 },
  };

  test("rows are not partitioned if there are few groups, few passing rows or too little memory", async () => {
    const roomy = openTable({ ...columns, sparse: of(() => random.below(500) * 2 ** 40) });
    const few: Plan = { ...byUser, outputs: [{ kind: "key", of: column("sparse") }, rows] };
    assert.is(await roomy.partition(roomy.bind(few)), undefined);
    const filter: Predicate = {
      kind: "compare",
      left: column("amount"),
      operator: "<",
      value: 5,
    };
    assert.is(await roomy.partition(roomy.bind({ ...byUser, filter })), undefined);
    assert.ok(await roomy.partition(roomy.bind(byUser)));
    const tight = openTable(columns, true);
    assert.is(await tight.partition(tight.bind(byUser)), undefined);
    await tight.run(tight.bind(byUser));
    const neededMib = rounds({ quick: 1, deep: 2 });
    assert.equal(tight.refusals, [
      `partitioning needs ${neededMib} MiB, more than queries can spare`,
    ]);
    assert.is(tight.memory.scratchUsedBytes, othersBytes);
  });

  test("a plan is answered although more rows pass its filter than a sample shows", async () => {
    const vectorCount = Math.ceil(rowCount / 4096);
    const sampled = new Set(
      Array.from({ length: 16 }, (_, index) => Math.floor((vectorCount * (index + 0.5)) / 16)),
    );
    const flag = of((row) => (sampled.has(Math.floor(row / 4096)) && row % 5 < 3 ? 0 : 1));
    const filter: Predicate = { kind: "compare", left: column("flag"), operator: "=", value: 1 };
    const roomy = openTable({ ...columns, flag });
    const tight = openTable({ ...columns, flag }, true);
    const plan: Plan = { ...byUser, filter, order: [{ output: 1, descending: true }] };
    const { columns: found } = await roomy.run(roomy.bind(plan));
    assert.equal(roomy.refusals, [undefined, "more rows pass the filter than a sample showed"]);
    const expected = await tight.run(tight.bind(plan));
    assert.equal(
      found.map((values) => [...values]),
      expected.columns.map((values) => [...values]),
    );
  });

  test("a cancelled query ends with QUERY_CANCELLED and frees its memory", async () => {
    const roomy = openTable(columns);
    await rejects(roomy.partition(roomy.bind(byUser), true), "QUERY_CANCELLED");
    assert.is(roomy.memory.scratchUsedBytes, 0);
  });
});
