import * as assert from "uvu/assert";
import { Memory } from "../../../engine/memory/memory.ts";
import type { BoundPlan } from "../../../engine/plan/boundPlan.ts";
import { Pool } from "../../../engine/pool/pool.ts";
import type { Table } from "../../../engine/table/table.ts";
import type { Plan } from "../../../engine/types.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { rejects } from "../tables.ts";
import { bind, computed, count, countInThreads, makeTable } from "./numbersTable.ts";

const memoryBytes = 2 ** 28;
/** A number of rows that is large enough for plans with computed values to run in the threads. */
const manyRows = 30_000;

/**
 * Queries the sum of a table's numbers. If `members` is given, the plan also filters by this set of values. The set can
 * be too large for a thread's heap.
 */
async function sumOf(
  pool: Pool,
  table: Table,
  memory: Memory,
  members?: ReadonlySet<number>,
): Promise<number> {
  const plan = bind(
    { ...count, outputs: [{ kind: "aggregate", function: "sum", of: computed }] },
    table,
    memory,
  );
  const { columns } = await pool.run(
    members
      ? { ...plan, filter: { kind: "in", left: { kind: "column", column: 0 }, values: members } }
      : plan,
  );
  return columns[0][0];
}

/** A number of filter members that exceeds the heap of a small thread. */
const memberCount = rounds({ quick: 400_000, deep: 800_000 });

suite("engine/pool/pool", (test) => {
  test("a decoding task gives up if queries use all threads for too long, and not if a thread is free", async () => {
    const memory = new Memory({ budgetBytes: memoryBytes });
    const pool = new Pool({ workers: 1, memory, decodeWaitMs: 0 });
    const bytes = new TextEncoder().encode('[["a",1]]');
    const task = { kind: "decode", bytes } as const;
    let isWarm = false;
    const warming = pool.warmKernels().then(() => (isWarm = true));
    assert.equal(await Promise.all([pool.decode(task), pool.decode(task)]), [undefined, undefined]);
    assert.not(isWarm);
    await warming;
    const answers = await Promise.all([pool.decode(task), pool.decode(task)]);
    assert.equal(
      answers.map((answer) => answer?.ok),
      [true, true],
    );
    await pool.close();
  });

  test("a query that fails in a worker does not affect the pool", async () => {
    const memory = new Memory({ budgetBytes: memoryBytes });
    const pool = new Pool({ workers: 1, memory });
    const bound = bind(countInThreads, makeTable(memory, manyRows), memory);
    const broken: BoundPlan = {
      ...bound,
      filter: { kind: "isNull", left: { kind: "call", function: "nothing", literals: [], of: [] } },
    };
    await rejects(pool.run(broken), "QUERY_PLAN");
    assert.equal([...(await pool.run(bound)).columns[0]], [manyRows]);
    assert.is(memory.scratchUsedBytes, 0);
    await pool.close();
  });

  test.deep("a query that exceeds a worker's heap fails with QUERY_OUT_OF_MEMORY", async () => {
    const memory = new Memory({ budgetBytes: memoryBytes });
    const pool = new Pool({ workers: 1, memory, workerHeapMb: 16 });
    const table = makeTable(memory, 65_536);
    const bound = bind(count, table, memory);
    const members = new Set(Array.from({ length: memberCount }, (_, index) => index + 0.25));
    const large = bind(
      { ...count, filter: { kind: "in", left: { kind: "column", name: "x" }, values: [1] } },
      table,
      memory,
    );
    const plan: BoundPlan = {
      ...large,
      filter: { kind: "in", left: { kind: "column", column: 0 }, values: members },
    };
    await rejects(pool.run(plan), "QUERY_OUT_OF_MEMORY");
    assert.equal([...(await pool.run(bound)).columns[0]], [65_536]);
    assert.is(memory.scratchUsedBytes, 0);
    await pool.close();
  });

  test.deep("of many simultaneous queries, only those that crash their worker fail", async () => {
    const memory = new Memory({ budgetBytes: memoryBytes });
    const pool = new Pool({ workers: 2, memory, workerHeapMb: 24 });
    const table = makeTable(memory, 150_000);
    const column = { kind: "column", name: "x" } as const;
    const sum: Plan = {
      ...count,
      outputs: [
        { kind: "aggregate", function: "sum", of: column },
        { kind: "aggregate", function: "median", of: column },
        { kind: "aggregate", function: "approximatepercentile", of: column, fraction: 0 },
      ],
    };
    const hashed: Plan = {
      ...count,
      outputs: [
        { kind: "key", of: { kind: "bin", of: column, width: 0.125, origin: 0 } },
        { kind: "aggregate", function: "rows" },
      ],
      order: [{ output: 0, descending: true }],
      limit: { count: 1, offset: 0 },
    };
    const members = new Set(Array.from({ length: memberCount }, (_, index) => index + 0.25));
    const killer: BoundPlan = {
      ...bind(sum, table, memory),
      filter: { kind: "in", left: { kind: "column", column: 0 }, values: members },
    };
    const expected = [[150_000], [(150_000 * 150_000) / 2, 75_000, 0.5], [149_999.5, 1]] as const;
    for (let round = 0; round < rounds({ quick: 1, deep: 1, soak: 4 }); round++) {
      const plans = Array.from(
        { length: rounds({ quick: 10, deep: 12, soak: 20 }) },
        (_, index) => {
          if (index % 6 === 3) return { plan: killer, cells: undefined };
          const place = index % 3;
          const plan = bind([count, sum, hashed][place], table, memory);
          return { plan, cells: expected[place] };
        },
      );
      await Promise.all(
        plans.map(async ({ plan, cells }, index) => {
          const lease = memory.lease();
          try {
            const running = pool.run(plan, {
              tenant: { organization: `${index % 2}`, user: `${index % 3}` },
            });
            if (cells) {
              const { columns } = await running;
              assert.equal(
                columns.map((values) => values[0]),
                [...cells],
              );
            } else await rejects(running, "QUERY_OUT_OF_MEMORY");
          } finally {
            lease.end();
          }
        }),
      );
      assert.is(memory.scratchUsedBytes, 0);
    }
    await pool.close();
    table.close();
    assert.is(memory.usedBytes, 0, "no lease keeps a block");
  });

  test("queries that exceed the queue fail with STORE_BUSY, and all others succeed", async () => {
    const memory = new Memory({ budgetBytes: memoryBytes });
    const pool = new Pool({ workers: 1, memory, queueLength: 2 });
    const bound = bind(countInThreads, makeTable(memory, manyRows), memory);
    const settled = await Promise.allSettled(Array.from({ length: 20 }, () => pool.run(bound)));
    const codes = settled.map((result) =>
      result.status === "rejected" ? (result.reason as { code: string }).code : "answered",
    );
    assert.ok(codes.includes("answered"));
    assert.ok(codes.includes("STORE_BUSY"));
    assert.equal(new Set(codes).size, 2);
    await pool.close();
  });

  test("a small plan is answered even while all threads and all places in the queue are taken", async () => {
    const memory = new Memory({ budgetBytes: memoryBytes });
    const pool = new Pool({ workers: 1, memory, queueLength: 2 });
    const many = makeTable(memory, manyRows);
    const small = bind(count, makeTable(memory, 10), memory);
    let answeredCount = 0;
    const others = Array.from({ length: 20 }, () =>
      sumOf(pool, many, memory).then(
        () => answeredCount++,
        () => undefined,
      ),
    );
    assert.equal([...(await pool.run(small)).columns[0]], [10]);
    assert.is(answeredCount, 0);
    await Promise.all(others);
    assert.ok(answeredCount > 0);
    assert.is(memory.scratchUsedBytes, 0);
    await pool.close();
  });

  test("the event loop handles other events between two small plans", async () => {
    const memory = new Memory({ budgetBytes: memoryBytes });
    const pool = new Pool({ workers: 1, memory });
    const small = bind(count, makeTable(memory, 10), memory);
    let hasTurned = false;
    setImmediate(() => setImmediate(() => (hasTurned = true)));
    while (!hasTurned) assert.equal([...(await pool.run(small)).columns[0]], [10]);
    await pool.close();
  });

  test("a small plan that fails or is cancelled leaves no scratch memory allocated", async () => {
    const memory = new Memory({ budgetBytes: memoryBytes });
    const pool = new Pool({ workers: 1, memory });
    const small = bind(count, makeTable(memory, 10), memory);
    const left = { kind: "call", function: "nothing", literals: [], of: [] } as const;
    await rejects(pool.run({ ...small, filter: { kind: "isNull", left } }), "QUERY_PLAN");
    await rejects(pool.run(small, { signal: AbortSignal.abort() }), "QUERY_CANCELLED");
    const leaving = new AbortController();
    const running = pool.run(small, { signal: leaving.signal });
    leaving.abort();
    await rejects(running, "QUERY_CANCELLED");
    assert.equal([...(await pool.run(small)).columns[0]], [10]);
    assert.is(memory.scratchUsedBytes, 0);
    await pool.close();
  });

  test.deep("threads that used a released arena can read the memory that replaces it", async () => {
    const memory = new Memory({
      budgetBytes: memoryBytes,
      arenaBytes: 2 ** 20,
      leastReleasedBytes: 2 ** 18,
    });
    const pool = new Pool({ workers: 2, memory });
    for (const rowCount of [300_000, 1_200_000, 500_000, 900_000]) {
      const table = makeTable(memory, rowCount, rowCount / 8);
      for (let turn = 0; turn < 4; turn++)
        assert.is(await sumOf(pool, table, memory), rowCount * (rowCount / 8 + (rowCount - 1) / 2));
      table.close();
      const before = memory.arenaBytes;
      memory.releaseArenas();
      memory.releaseArenas();
      assert.ok(memory.arenaBytes < Math.min(before, memory.arenas.length * 2 ** 18));
      if (rowCount > 500_000) assert.is(await pool.releaseMemory(), true);
    }
    assert.equal(memory.versions.slice(0, 2), [4, 4]);
    await pool.close();
  });

  test.deep("no arena is released while queries run", async () => {
    const memory = new Memory({ budgetBytes: memoryBytes });
    const pool = new Pool({ workers: 1, memory });
    const table = makeTable(memory, 131_072);
    const running = sumOf(pool, table, memory);
    assert.is(await pool.releaseMemory(), false);
    await running;
    assert.is(await pool.releaseMemory(), true);
    await pool.close();
  });

  test.deep(
    "answers stay correct while tables and arenas come and go and threads die",
    async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        const memory = new Memory({
          budgetBytes: memoryBytes,
          arenaBytes: 2 ** 20,
          leastReleasedBytes: 2 ** 18,
        });
        const pool = new Pool({ workers: 2, memory, workerHeapMb: 24 });
        const members = new Set(Array.from({ length: memberCount }, (_, index) => index + 0.25));
        const tables: { table: Table; rowCount: number; first: number }[] = [];
        const running = new Set<Promise<void>>();
        let releasedBytes = 0;
        let deadCount = 0;
        const check = async (answer: Promise<number>, expected: number | undefined) => {
          const lease = memory.lease();
          try {
            if (expected === undefined) await rejects(answer, "QUERY_OUT_OF_MEMORY");
            else assert.is(await answer, expected);
          } finally {
            lease.end();
          }
        };
        for (let step = 0; step < rounds({ quick: 24, deep: 60, soak: 400 }); step++) {
          const kind = random.below(12);
          const isFilling = Math.floor(step / 30) % 2 === 0;
          if (kind < (isFilling ? 4 : 1) || tables.length === 0) {
            const first = random.below(1000);
            const rowCount = 1 + random.below(200_000);
            tables.push({ table: makeTable(memory, rowCount, first), rowCount, first });
          } else if (kind < 6 && tables.length > 1) {
            const [{ table }] = tables.splice(random.below(tables.length), 1);
            table.close();
          } else if (kind < 10) {
            const { table, rowCount, first } = random.pick(tables);
            const isDeadly = deadCount < 3 && rowCount > 100_000 && random.chance(0.1);
            if (isDeadly) deadCount++;
            const answer = check(
              sumOf(pool, table, memory, isDeadly ? members : undefined),
              isDeadly ? undefined : rowCount * (first + (rowCount - 1) / 2),
            ).finally(() => running.delete(answer));
            running.add(answer);
            if (running.size >= 4) await Promise.race(running);
          } else {
            releasedBytes += memory.releaseArenas();
            const { drainingArena } = memory;
            if (drainingArena !== undefined)
              for (const { table } of tables)
                for (const column of table.columns) column.leave(drainingArena, Infinity);
            if (random.chance(0.3)) {
              await Promise.all(running);
              assert.is(await pool.releaseMemory(), true);
            }
          }
        }
        await Promise.all(running);
        assert.is(memory.scratchUsedBytes, 0);
        for (const { table } of tables) table.close();
        assert.is(memory.usedBytes, 0);
        // Draining and releasing an arena takes two calls.
        for (let call = 0; call < 8; call++) releasedBytes += memory.releaseArenas();
        assert.ok(releasedBytes > 2 ** 20, `only ${releasedBytes} bytes were released`);
        await pool.close();
      });
    },
  );

  test("a person's query starts before all waiting background queries", async () => {
    const memory = new Memory({ budgetBytes: memoryBytes });
    const pool = new Pool({ workers: 1, memory });
    const table = makeTable(memory, manyRows);
    const of = { kind: "column", name: "x" } as const;
    const heavy: Plan = { ...count, outputs: [{ kind: "aggregate", function: "median", of }] };
    const ended: string[] = [];
    const run = (plan: Plan, isBackground: boolean) =>
      pool
        .run(bind(plan, table, memory), {
          tenant: { organization: "o", user: "ada", isBackground },
        })
        .then(({ columns }) => {
          ended.push(isBackground ? "background" : "person");
          return columns[0][0];
        });
    await pool.ready();
    for (const plan of [countInThreads, heavy]) {
      ended.length = 0;
      const later = Array.from({ length: 24 }, () => run(plan, true));
      const own = run(plan, false);
      const answers = await Promise.all([own, ...later]);
      assert.is(new Set(answers).size, 1);
      const before = ended.indexOf("person");
      // By that time, at most one shared scan, of eight queries, had started.
      assert.ok(before <= 8, `${before} went first`);
    }
    await pool.close();
    table.close();
  });
});
