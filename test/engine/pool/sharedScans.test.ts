import * as assert from "uvu/assert";
import { EngineError } from "../../../engine/errors.ts";
import { Memory } from "../../../engine/memory/memory.ts";
import type { BoundPlan } from "../../../engine/plan/boundPlan.ts";
import type { ScanAnswer, ScanTogetherTask, SharedScan } from "../../../engine/pool/messages.ts";
import { Pool, type PoolAnswer } from "../../../engine/pool/pool.ts";
import { canShareScan, SharedScans } from "../../../engine/pool/sharedScans.ts";
import type { ThreadTask } from "../../../engine/pool/threads.ts";
import { Table } from "../../../engine/table/table.ts";
import type { Expression, Output, Plan } from "../../../engine/types.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { rejects } from "../tables.ts";
import { bind } from "./numbersTable.ts";

const column = (name: string): Expression => ({ kind: "column", name });
const key = (name: string): Output => ({ kind: "key", of: column(name) });
const aggregate = (name: "sum" | "average" | "min" | "median", of: string): Output => ({
  kind: "aggregate",
  function: name,
  of: column(of),
});
const rows: Output = { kind: "aggregate", function: "rows" };

/**
 * Returns a table `t` with numbers `x`, `y` (floats, with nulls) and `i` (0 to 999), and text columns `few` (7 strings)
 * and `many` (30,000).
 */
function fill(random: Random, memory: Memory, rowCount: number): Table {
  const table = new Table("t", memory, true, 0);
  const numbers = {
    x: () => random.below(100_000) / 100,
    y: () => (random.chance(0.1) ? NaN : random.below(2 ** 30) / 7),
    i: () => random.below(1000),
  };
  const texts = { few: 7, many: 30_000 };
  table.apply({
    add: [
      ...Object.keys(numbers).map((name) => ({ name, type: "number" as const })),
      ...Object.keys(texts).map((name) => ({ name, type: "text" as const })),
    ],
    rows: {
      names: [...Object.keys(numbers), ...Object.keys(texts)],
      batch: {
        rowCount,
        columns: [
          ...Object.values(numbers).map((make) => ({
            type: "number" as const,
            values: Float64Array.from({ length: rowCount }, make),
          })),
          ...Object.values(texts).map((count) => ({
            type: "text" as const,
            codes: Int32Array.from({ length: rowCount }, () => random.below(count)),
            dictionary: Array.from({ length: count }, (_, code) => `t${code}`),
          })),
        ],
      },
    },
  });
  return table;
}

function drawPlan(random: Random): Plan {
  const keys = random.pick([[], ["few"], ["few"], ["few", "i"], ["many"]]);
  const limit = random.below(1000);
  return {
    table: "t",
    grouped: true,
    outputs: [
      ...keys.map(key),
      aggregate(random.pick(["sum", "average", "min"]), random.pick(["x", "y"])),
      ...(random.chance(0.5) ? [aggregate("sum", "y"), rows] : [rows]),
      ...(random.chance(0.1) ? [aggregate("median", "x")] : []),
    ],
    order: keys.map((_, output) => ({ output, descending: false })),
    ...(random.chance(0.7) && {
      filter: { kind: "compare", left: column("i"), operator: "<", value: limit },
    }),
  };
}

const answerOf = (scannedRowCount: number): ScanAnswer => ({
  ok: true,
  lanes: [0],
  results: [],
  scannedRowCount,
});

/** Returns a scan of a column at the given offset. `laneStates` identifies the scan. */
const scanOf = (laneStates: number, offset = 64, rowCount = 10): SharedScan => ({
  plan: {
    rowCount,
    laneCount: 1,
    columns: [{ directory: { arena: 0, offset }, sealedCount: 1, tail: undefined }],
    order: [],
  },
  control: new Int32Array(2),
  bases: [],
  homeArena: 0,
  partCount: 1,
  laneStates,
  laneBytes: 0,
});

/** Returns threads that start tasks in order of arrival. Each task finishes when the test says so. */
function standIn(count: number) {
  const tasks: {
    readonly task: ScanTogetherTask;
    readonly scans: readonly number[];
    readonly end: (answer: unknown) => void;
    readonly fail: (error: Error) => void;
  }[] = [];
  const line: {
    readonly given: ThreadTask;
    readonly start: () => boolean;
    readonly leave: () => void;
  }[] = [];
  let runningCount = 0;
  const next = () => {
    while (runningCount < count && line.length > 0) if (line.shift()?.start()) runningCount++;
  };
  const threads = {
    run: <Answer>(given: ThreadTask) =>
      new Promise<Answer>((resolve, reject) => {
        const start = () => {
          const task = typeof given === "function" ? given() : given;
          if (!task) {
            resolve(undefined as Answer);
            return false;
          }
          if (task.kind !== "scanTogether") throw new Error(`${task.kind} was sent`);
          const scans = task.scans.map(({ laneStates }) => laneStates);
          const leave = () => {
            runningCount--;
            setImmediate(next);
          };
          const end = (answer: unknown) => {
            resolve(answer as Answer);
            leave();
          };
          const fail = (error: Error) => {
            reject(error);
            leave();
          };
          tasks.push({ task, scans, end, fail });
          return true;
        };
        line.push({ given, start, leave: () => resolve(undefined as Answer) });
        next();
      }),
    withdraw: (given: ThreadTask) => {
      const place = line.findIndex((waiting) => waiting.given === given);
      for (const waiting of place < 0 ? [] : line.splice(place, 1)) waiting.leave();
    },
  };
  const memories = { sizes: [], versions: [] };
  const passed = { ...memories, passed: [] };
  const shared = new SharedScans(threads, { memories: () => memories, passed: () => passed });
  const answer = (place: number) => {
    const { scans, end } = tasks[place];
    end({ ok: true, scans: scans.map(answerOf) });
  };
  return { tasks, line, shared, answer };
}

/** Returns the bytes of every column, so that different NaNs can be distinguished. */
const bits = ({ columns }: PoolAnswer) =>
  columns.map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength).toString("hex"),
  );

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Worker counts to test: one, several, and more than there are processors. */
const workerCounts = rounds({ quick: [2], deep: [1, 2, 3] });

suite("engine/pool/sharedScans", (test) => {
  test("up to seven waiting scans that read a common column join a running scan", async () => {
    const { tasks, shared, answer } = standIn(1);
    const requests = [
      scanOf(0),
      scanOf(1, 128),
      scanOf(2),
      scanOf(3, 128),
      scanOf(4, 128, 11),
      ...[5, 6, 7, 8, 9, 10, 11, 12].map((place) => scanOf(place, 128)),
    ];
    const answers = requests.map((scan) => shared.run(scan));
    const sent: number[][] = [];
    for (let place = 0; place < 5; place++) {
      assert.is(tasks.length, place + 1);
      sent.push([...tasks[place].scans]);
      answer(place);
      await turn();
    }
    assert.equal(sent, [[0], [1, 3, 5, 6, 7, 8, 9, 10], [2], [4], [11, 12]]);
    const found = await Promise.all(answers);
    assert.equal(
      found.map(({ scannedRowCount }) => scannedRowCount),
      requests.map(({ laneStates }) => laneStates),
    );
  });

  test("scans that join another scan leave the queue for threads at once", async () => {
    const { tasks, line, shared, answer } = standIn(1);
    const answers = [0, 1, 2, 3, 4].map((place) =>
      shared.run(scanOf(place, place === 0 ? 64 : 128)),
    );
    assert.is(line.length, 4);
    answer(0);
    await turn();
    assert.equal(tasks[1].scans, [1, 2, 3, 4]);
    assert.is(line.length, 0);
    answer(1);
    await Promise.all(answers);
  });

  test("a scan that is cancelled while it waits is rejected and never sent", async () => {
    const { tasks, shared, answer } = standIn(1);
    const scans = [scanOf(0), scanOf(1), scanOf(2)];
    const answers = scans.map((scan) => shared.run(scan));
    scans[1].control[0] = 1;
    answer(0);
    await rejects(answers[1], "QUERY_CANCELLED");
    answer(1);
    assert.is((await answers[2]).scannedRowCount, 2);
    assert.equal(
      tasks.map(({ scans: sent }) => sent),
      [[0], [2]],
    );
  });

  test("shared scans run again separately after their thread died", async () => {
    const { tasks, shared, answer } = standIn(1);
    const scans = [scanOf(0), scanOf(1), scanOf(2), scanOf(3)];
    const answers = scans.map((scan) => shared.run(scan));
    const failed = rejects(answers[2], "QUERY_OUT_OF_MEMORY");
    answer(0);
    await turn();
    for (const { control } of scans) control[1] = 5;
    tasks[1].fail(new EngineError("QUERY_OUT_OF_MEMORY"));
    await turn();
    assert.is(scans[1].control[1], 0);
    answer(2);
    await turn();
    tasks[3].fail(new EngineError("QUERY_OUT_OF_MEMORY"));
    await turn();
    answer(4);
    await failed;
    const found = await Promise.all([answers[0], answers[1], answers[3]]);
    assert.equal(
      found.map(({ scannedRowCount }) => scannedRowCount),
      [0, 1, 3],
    );
    assert.equal(
      tasks.map(({ scans: sent }) => sent),
      [[0], [1, 2, 3], [1], [2], [3]],
    );
  });

  test("a thread that lacks memory for shared scans gets the scans again with that memory", async () => {
    const { tasks, shared, answer } = standIn(1);
    const found = shared.run(scanOf(7));
    tasks[0].end({ ok: "needsMemories" });
    await turn();
    assert.is(tasks[0].task.memories.passed, undefined);
    assert.equal(tasks[1].task.memories.passed, []);
    answer(1);
    assert.is((await found).scannedRowCount, 7);
  });

  test("tenants share a task only if similar numbers of each tenant's scans wait", async () => {
    const { tasks, shared, answer } = standIn(1);
    const tenant = (user: string) => ({ organization: "o", user });
    const requests = [
      shared.run(scanOf(0)),
      ...[1, 2, 3, 4, 5].map((place) => shared.run(scanOf(place), tenant("busy"))),
      shared.run(scanOf(6), tenant("quiet")),
      shared.run(scanOf(7), tenant("other")),
    ];
    for (let place = 0; place < 3; place++) {
      answer(place);
      await turn();
    }
    await Promise.all(requests);
    assert.equal(
      tasks.map(({ scans }) => scans),
      [[0], [1, 2, 3, 4, 5], [6, 7]],
    );
  });

  test("plans with few groups and only sums can share scans", () => {
    const memory = new Memory({ budgetBytes: 2 ** 28 });
    const table = fill(createRandom(1), memory, 20_000);
    const shares = (outputs: readonly Output[], grouped = true) =>
      canShareScan(bind({ table: "t", grouped, outputs }, table, memory));
    assert.is(shares([rows]), true);
    assert.is(shares([key("few"), aggregate("sum", "x"), aggregate("min", "y")]), true);
    assert.is(shares([key("many"), rows]), false, "states that exceed the caches");
    assert.is(shares([key("few"), aggregate("median", "x")]), false, "histograms");
    assert.is(shares([key("y"), rows]), false, "hashed groups");
    assert.is(shares([key("x")], false), false, "rows");
  });

  test.deep(
    `with ${workerCounts.join(", ")} workers, simultaneous queries have the same bits as each query on its own`,
    async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        const memory = new Memory({
          budgetBytes: 2 ** 28,
          // Medians of many groups need memory in each arena, and a few queries have one task per thread.
          scratchBytes: 2 ** 30,
          ...(random.chance(0.5) && { arenaBytes: 2 ** 21 }),
        });
        const table = fill(random, memory, rounds({ quick: 100_000, deep: 300_000 }));
        const plans = Array.from({ length: 40 }, () => bind(drawPlan(random), table, memory));
        assert.ok(plans.filter(canShareScan).length > 10);
        for (const workers of workerCounts) {
          const pool = new Pool({ workers, memory });
          const together = await Promise.all(
            plans.map((plan, index) => {
              const tenant = { organization: `${index % 3}`, user: `${index % 7}` };
              return pool.run(plan, { tenant });
            }),
          );
          for (const [index, plan] of plans.entries()) {
            const alone = await pool.run(plan);
            assert.equal(bits(together[index]), bits(alone), `plan ${index}`);
            assert.is(together[index].scannedRowCount, alone.scannedRowCount);
          }
          assert.is(memory.scratchUsedBytes, 0);
          await pool.close();
        }
      });
    },
  );

  test.deep(
    "a cancelled or failing query does not fail the queries that share its scan",
    async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        const memory = new Memory({ budgetBytes: 2 ** 28 });
        const pool = new Pool({ workers: 2, memory, workerHeapMb: 24 });
        const table = fill(random, memory, 200_000);
        const plan = bind(
          { table: "t", grouped: true, outputs: [key("few"), aggregate("sum", "x"), rows] },
          table,
          memory,
        );
        const members = new Set(Array.from({ length: 800_000 }, (_, index) => index + 0.25));
        const place = plan.columns.length - 1;
        const killer: BoundPlan = {
          ...plan,
          filter: { kind: "in", left: { kind: "column", column: place }, values: members },
        };
        assert.ok(canShareScan(killer));
        const { columns: expected } = await pool.run(plan);
        const kinds = Array.from({ length: rounds({ quick: 5, deep: 24 }) }, (_, index) =>
          index % 8 === 5 ? "killer" : index % 6 === 4 ? "cancelled" : "plain",
        );
        await Promise.all(
          kinds.map(async (kind) => {
            const cancelling = new AbortController();
            const answer = pool.run(kind === "killer" ? killer : plan, {
              signal: cancelling.signal,
            });
            if (kind === "killer") return rejects(answer, "QUERY_OUT_OF_MEMORY");
            if (kind === "plain") return assert.equal((await answer).columns, expected);
            // Answers of threads arrive in later tasks, so the query is cancelled before it is answered.
            queueMicrotask(() => cancelling.abort());
            return rejects(answer, "QUERY_CANCELLED");
          }),
        );
        assert.is(memory.scratchUsedBytes, 0);
        await pool.close();
      });
    },
  );
});
