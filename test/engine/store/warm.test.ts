import { readdirSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { openStore, type NamedBatch, type Plan, type Store } from "../../../engine/index.ts";
import { Dictionary } from "../../../engine/column/texts/dictionary.ts";
import { eventually } from "../../support/eventually.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { makeFolder, rejects, toCells } from "../tables.ts";

const columns = [
  { name: "s", type: "text" },
  { name: "x", type: "number" },
] as const;
const texts = ["a", "b", "c", "d"];
/**
 * Number of workers. It is small, because each thread runs every plan of a warm-up, which takes a second of processor
 * time.
 */
const workers = rounds({ quick: 1, deep: 1, soak: 2 });

const rowsOf = (from: number, rowCount: number): NamedBatch => ({
  names: ["s", "x"],
  batch: {
    rowCount,
    columns: [
      {
        type: "text",
        codes: Int32Array.from({ length: rowCount }, (_, row) => (from + row) % texts.length),
        dictionary: texts,
      },
      { type: "number", values: Float64Array.from({ length: rowCount }, (_, row) => from + row) },
    ],
  },
});

/** Returns a plan that sums a table of `rowsOf(0, …)` by its text column. */
const byText = (table: string): Plan => ({
  table,
  grouped: true,
  outputs: [
    { kind: "key", of: { kind: "column", name: "s" } },
    { kind: "aggregate", function: "sum", of: { kind: "column", name: "x" } },
  ],
  order: [{ output: 0, descending: false }],
});
const sumsOf = (rowCount: number) =>
  texts.map((text, first) => {
    const count = Math.ceil((rowCount - first) / texts.length);
    return [text, first * count + (texts.length * count * (count - 1)) / 2];
  });

/**
 * Returns a store's figures, tables and files. The size of its arenas is left out, because a warm-up may enlarge arenas
 * that later data will use.
 */
const seenOf = (store: Store, dir: string) => ({
  stats: { ...store.stats(), arenaBytes: 0 },
  tables: store.tables(),
  files: readdirSync(dir, { recursive: true }).sort(),
});

suite("engine/store/warm", (test) => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let next = 0;
  test.before(async () => {
    folder = await makeFolder();
  });
  test.after(() => folder.remove());

  const open = async (memoryBytes = 2 ** 28) => {
    const dir = join(folder.path, String(next++));
    return { dir, store: await openStore({ dir, workers, memoryBytes }) };
  };

  test.deep(
    "the warm-up leaves nothing in tables, memory figures or files, and a second call ends with the first",
    async () => {
      const { dir, store: filled } = await open();
      await filled.create({ name: "facts", columns });
      await filled.append({ table: "facts", rows: rowsOf(0, 1000) });
      await filled.close();
      const store = await openStore({ dir, workers, memoryBytes: 2 ** 28 });
      const { order } = Dictionary.prototype;
      const orderedSizes: number[] = [];
      Dictionary.prototype.order = function (this: Dictionary) {
        orderedSizes.push(this.size);
        return order.call(this);
      };
      const before = seenOf(store, dir);
      let isWarm = false;
      const ended: number[] = [];
      const warmed = Promise.all(
        [1, 2].map((call) => store.warm().then(() => ended.push(call))),
      ).then(() => (isWarm = true));
      let looks = 0;
      for (; !isWarm; looks++) {
        assert.equal(seenOf(store, dir), before);
        await rejects(store.query(byText("dimension")), "TABLE_UNKNOWN");
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await warmed;
      assert.equal(ended, [1, 2]);
      assert.ok(looks > 20, `${looks} looks`);
      await eventually(
        () => orderedSizes.includes(texts.length),
        "the strings are in order before a query needs it",
      );
      Dictionary.prototype.order = order;
      assert.equal(seenOf(store, dir), before);
      let isLater = false;
      setImmediate(() => (isLater = true));
      await store.warm();
      assert.not(isLater);
      await store.close();
    },
  );

  test.deep("queries and writes during the warm-up give correct answers", async () => {
    const { store } = await open();
    await store.create({ name: "facts", columns });
    let isWarm = false;
    const warmed = store.warm().then(() => (isWarm = true));
    let rowCount = 0;
    let roundCount = 0;
    do {
      await store.append({ table: "facts", rows: rowsOf(rowCount, 5000) });
      rowCount += 5000;
      const answers = await Promise.all([1, 2, 3].map(() => store.query(byText("facts"))));
      for (const answer of answers) assert.equal(toCells(answer), sumsOf(rowCount));
      roundCount++;
      await new Promise((resolve) => setTimeout(resolve, 20));
    } while (!isWarm);
    await warmed;
    assert.ok(roundCount > 10, `${roundCount} rounds`);
    await store.close();
  });

  test.deep(
    "a store with no budget left can be warmed up, and still accepts rows that fit",
    async () => {
      const { store } = await open(200_000);
      await store.create({ name: "t", columns });
      const warmed = store.warm();
      for (let from = 0; from < 5000; from += 1000)
        await store.append({ table: "t", rows: rowsOf(from, 1000) });
      await warmed;
      assert.is(store.stats().warmingFailure, undefined);
      assert.equal(toCells(await store.query(byText("t"))), sumsOf(5000));
      await rejects(store.append({ table: "t", rows: rowsOf(0, 50_000) }), "STORE_OUT_OF_MEMORY");
      await store.close();
    },
  );

  test.deep(
    "a warm-up without enough memory reports the failure, and the store keeps working",
    async () => {
      const { store } = await open();
      const { grow } = WebAssembly.Memory.prototype;
      WebAssembly.Memory.prototype.grow = () => {
        throw new RangeError("no room");
      };
      try {
        await store.warm();
      } finally {
        WebAssembly.Memory.prototype.grow = grow;
      }
      assert.match(store.stats().warmingFailure ?? "", /memory/);
      assert.is(store.stats().memoryBytes, 0);
      await store.create({ name: "t", columns });
      await store.append({ table: "t", rows: rowsOf(0, 100_000) });
      assert.equal(toCells(await store.query(byText("t"))), sumsOf(100_000));
      await store.close();
    },
  );

  test.deep("a store can be closed at any time during its warm-up", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 1, deep: 4, soak: 20 }); round++) {
        const { store } = await open();
        const warmed = store.warm();
        const isLate = random.chance(0.7);
        await new Promise((resolve) => setTimeout(resolve, random.below(isLate ? 1500 : 100)));
        await store.close();
        await warmed;
        assert.is(store.stats().warmingFailure, undefined);
        await rejects(store.warm(), "STORE_CLOSED");
      }
    });
  });
});
