import * as assert from "uvu/assert";
import { setTimeout as wait } from "node:timers/promises";
import type { ColumnDefinition, Scalar, Store } from "../../../../engine/index.ts";
import { nodeFiles } from "../../../../engine/files/files.ts";
import { Memory, type Lease } from "../../../../engine/memory/memory.ts";
import { openStoreWith } from "../../../../engine/store/openStore.ts";
import { sweepArenas } from "../../../../engine/store/residency/sweepArenas.ts";
import { readColumn } from "../../../../engine/table/readColumn.ts";
import type { Snapshot } from "../../../../engine/table/snapshot.ts";
import { Table } from "../../../../engine/table/table.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { makeFolder, toBatch } from "../../tables.ts";
import { withoutRoom } from "../../withoutRoom.ts";

const dayMs = 86_400_000;
const columns: readonly ColumnDefinition[] = [
  { name: "whole", type: "number" },
  { name: "float", type: "number" },
  { name: "none", type: "number" },
  { name: "day", type: "datetime" },
  { name: "instant", type: "datetime" },
  { name: "word", type: "text" },
];

type Cells = Readonly<Record<string, Scalar>>;

function makeRow(random: Random): Cells {
  return {
    whole: random.below(300),
    float: random.below(2 ** 31) / 7,
    none: null,
    day: random.below(1000) * dayMs,
    instant: random.chance(0.1) ? null : random.below(2 ** 31) * 1_000_001,
    word: `word ${random.below(500)}`,
  };
}

const makeRows = (random: Random, rowCount: number) =>
  Array.from({ length: rowCount }, () => makeRow(random));

function check(memory: Memory, snapshot: Snapshot, rows: readonly Cells[]): void {
  assert.is(snapshot.rowCount, rows.length);
  for (const [name, column] of snapshot.columns) {
    const wrong = readColumn(memory, column).findIndex(
      (cell, row) => !Object.is(cell, rows[row][name]),
    );
    assert.is(wrong, -1, `row ${wrong} of ${name}`);
  }
}

suite("engine/store/residency/sweepArenas", (test) => {
  test.deep(
    "a sweep moves the remaining blocks of a nearly empty arena, and every snapshot keeps its rows",
    async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        const memory = new Memory({ budgetBytes: 2 ** 30, leastReleasedBytes: 2 ** 25 });
        const tables: { table: Table; rows: Cells[] }[] = [];
        const kept: { snapshot: Snapshot; rows: readonly Cells[]; lease: Lease }[] = [];
        let releasedBytes = 0;
        const sweep = async () => {
          releasedBytes += await sweepArenas(
            memory,
            tables.map(({ table }) => table),
          );
        };
        for (let index = 0; index < 6; index++) {
          const table = new Table(`t${index}`, memory, true, 0);
          const rows = makeRows(random, [1000, 66_000, 65_536, 80_000, 3, 70_000][index]);
          table.apply({ add: columns });
          table.apply({ rows: toBatch(columns, rows) });
          tables.push({ table, rows });
        }
        for (let round = 0; round < rounds({ quick: 1, deep: 6 }); round++) {
          memory.freeAtOnce(memory.allocate(2 ** 27));
          const one = random.pick(tables);
          const lease = memory.lease();
          for (const { table, rows } of [one, tables[round]])
            kept.push({ snapshot: table.snapshot(), rows: [...rows], lease });
          for (let turn = 0; turn < 3; turn++) await sweep();
          const added = makeRows(random, 10);
          one.table.apply({ rows: toBatch(columns, added) });
          one.rows = [...one.rows, ...added];
          for (const each of tables) check(memory, each.table.snapshot(), each.rows);
          for (const each of kept) check(memory, each.snapshot, each.rows);
          for (const { lease: ended } of kept.splice(0, 2 * random.below(2))) ended.end();
        }
        for (const { lease } of kept) lease.end();
        for (let turn = 0; turn < 8; turn++) await sweep();
        assert.ok(releasedBytes > 2 ** 27, `only ${releasedBytes} bytes were released`);
        for (const { table, rows } of tables) {
          check(memory, table.snapshot(), rows);
          assert.is(
            table.memoryBytes,
            table.columns.reduce((sum, each) => sum + each.memoryBytes, 0),
          );
        }
        for (const { table } of tables) table.close();
        assert.is(memory.usedBytes, 0);
      });
    },
  );

  test("a sweep moves nothing if the system has no memory for another arena", async () => {
    const memory = new Memory({ budgetBytes: 2 ** 28, leastReleasedBytes: 2 ** 22 });
    const random = createRandom(1);
    const table = new Table("t", memory, true, 0);
    const rows = makeRows(random, 70_000);
    table.apply({ add: columns });
    table.apply({ rows: toBatch(columns, rows) });
    memory.freeAtOnce(memory.allocate(2 ** 26));
    const usedBytes = memory.usedBytes;
    await withoutRoom(async () => {
      for (let turn = 0; turn < 3; turn++) assert.is(await sweepArenas(memory, [table]), 0);
      assert.is(memory.drainingArena, 0);
    });
    assert.is(memory.usedBytes, usedBytes);
    check(memory, table.snapshot(), rows);
    table.close();
  });

  test("after many changes at once, a store uses little more memory than its data, even while it is queried", async () => {
    const folder = await makeFolder();
    const store = await openStoreWith(
      { dir: folder.path, workers: 1, memoryBytes: 2 ** 30 },
      nodeFiles,
      undefined,
      { sweptEveryMs: 30, leastReleasedBytes: 2 ** 22 },
    );
    try {
      const values = Float64Array.from({ length: 400_000 }, (_, row) => row / 7);
      await create(store, "small", values.subarray(0, 100_000));
      const expected = await sumOf(store, "small");
      for (let index = 0; index < 5; index++) await create(store, `large${index}`, values);
      const heldBytes = store.stats().arenaBytes;
      assert.ok(heldBytes > 14 * 2 ** 20);
      for (let index = 0; index < 5; index++) await store.drop({ table: `large${index}` });
      const endsAt = performance.now() + 90_000;
      while (store.stats().arenaBytes > 4 * 2 ** 20 && performance.now() < endsAt) {
        assert.is(await sumOf(store, "small"), expected);
        await wait(5);
      }
      const { arenaBytes, memoryBytes } = store.stats();
      assert.ok(
        arenaBytes < 4 * 2 ** 20,
        `${arenaBytes} bytes are held for ${memoryBytes} bytes of data`,
      );
      assert.ok(memoryBytes > 100_000 * 4);
      assert.is(await sumOf(store, "small"), expected);
    } finally {
      await store.close();
      await folder.remove();
    }
  });

  test.deep("answers stay correct while arenas are swept and tables change", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const folder = await makeFolder();
      const options = { dir: folder.path, workers: 2, memoryBytes: 12 * 2 ** 20 };
      const open = () =>
        openStoreWith(options, nodeFiles, 2 ** 20, {
          sweptEveryMs: 3,
          arenaBytes: 2 ** 21,
          leastReleasedBytes: 2 ** 19,
        });
      let store = await open();
      /** The possible sums of each table. The last sum is possible as soon as the append of its rows has started. */
      const sums = new Map<string, number[]>();
      const queries = new Set<Promise<void>>();
      const isFull = (error: unknown) =>
        (error as { code?: unknown }).code === "STORE_OUT_OF_MEMORY";
      try {
        for (let step = 0; step < rounds({ quick: 30, deep: 200 }); step++) {
          const name = `t${random.below(6)}`;
          const known = sums.get(name);
          const kind = random.below(12);
          if (known === undefined) {
            await store.create({ name, columns: [{ name: "x", type: "number" }] });
            sums.set(name, [0]);
          } else if (kind < 4) {
            const rowCount = random.pick([10, 1000, 66_000, 140_000]);
            const bound = random.pick([200, 2 ** 20]);
            const values = Float64Array.from({ length: rowCount }, () => random.below(bound) / 8);
            known.push(values.reduce((sum, value) => sum + value, known.at(-1) ?? 0));
            try {
              await append(store, name, values);
            } catch (error) {
              if (!isFull(error)) throw error;
              await Promise.all(queries);
              await store.drop({ table: name });
              sums.delete(name);
            }
          } else if (kind === 4) await store.compact({ table: name });
          else if (kind === 5 && random.chance(0.5)) {
            await Promise.all(queries);
            await store.drop({ table: name });
            sums.delete(name);
          } else if (kind === 6 && random.chance(0.2)) {
            await Promise.all(queries);
            await store.close();
            store = await open();
          } else {
            const before = known.length - 1;
            const query = sumOf(store, name)
              .then((sum) => {
                const possible = known.slice(before);
                assert.ok(possible.includes(sum), `step ${step}: ${sum}, not ${possible}`);
              })
              .catch((error: unknown) => {
                if (!isFull(error)) throw error;
              })
              .finally(() => queries.delete(query));
            queries.add(query);
            if (queries.size >= 3 || random.chance(0.3)) await Promise.race(queries);
          }
        }
        await Promise.all(queries);
        for (const [name] of sums) await store.drop({ table: name });
        const endsAt = performance.now() + 90_000;
        while (store.stats().arenaBytes > 2 ** 20 && performance.now() < endsAt) await wait(5);
        assert.ok(
          store.stats().arenaBytes <= 2 ** 20,
          `${store.stats().arenaBytes} bytes are held`,
        );
        assert.is(store.stats().memoryBytes, 0);
      } finally {
        await store.close();
        await folder.remove();
      }
    });
  });
});

async function create(store: Store, name: string, values: Float64Array): Promise<void> {
  await store.create({ name, temporary: true, columns: [{ name: "x", type: "number" }] });
  await append(store, name, values);
}

async function append(store: Store, table: string, values: Float64Array): Promise<void> {
  const rowCount = values.length;
  const rows = {
    names: ["x"],
    batch: { rowCount, columns: [{ type: "number" as const, values }] },
  };
  await store.append({ table, rows });
}

async function sumOf(store: Store, table: string): Promise<number> {
  const answer = await store.query({
    table,
    grouped: true,
    outputs: [{ kind: "aggregate", function: "sum", of: { kind: "column", name: "x" } }],
  });
  const [vector] = answer.columns;
  return vector.type === "text" || Number.isNaN(vector.values[0]) ? 0 : vector.values[0];
}
