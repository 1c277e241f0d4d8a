import * as assert from "uvu/assert";
import { vectorSize } from "../../../../engine/kernels/kernels.ts";
import { GroupTable } from "../../../../engine/operators/keys/groupTable.ts";
import { Heap } from "../../../../engine/operators/task/heap.ts";
import { KeyChain, type KeyPart } from "../../../../engine/operators/keys/keyChain.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

suite("engine/operators/keys/keyChain", (test) => {
  test("combinations of keys are numbered in order of first appearance", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const heap = new Heap();
      for (let round = 0; round < rounds({ quick: 5, deep: 60 }); round++) {
        heap.clear();
        const parts = Array.from({ length: random.below(5) }, () =>
          random.pick<KeyPart>(["number", "double"]),
        );
        const chain = new KeyChain(heap, parts);
        const vectors = parts.map(() => heap.reserve(vectorSize * 8));
        const numbers = heap.reserve(vectorSize * 4);
        const known = new Map<string, number>();
        const values: number[][] = parts.map(() => []);
        const range = random.pick([2, 40, 5000]);
        for (let count = 1 + random.below(4); count > 0; count--) {
          const rowCount = random.pick([1, 5, 4095, vectorSize]);
          const rows = parts.map((part) =>
            Array.from({ length: rowCount }, () => {
              if (part === "number") return random.chance(0.1) ? 2 ** 32 - 1 : random.below(range);
              return random.pick([NaN, -0, 0, random.below(range) / 3, -random.below(range)]);
            }),
          );
          parts.forEach((part, index) => {
            const { f64, u32 } = heap.arena;
            if (part === "number") u32.set(rows[index], vectors[index] / 4);
            else f64.set(rows[index], vectors[index] / 8);
          });
          chain.find(vectors, rowCount, numbers);
          for (let row = 0; row < rowCount; row++) {
            const key = rows.map((column) => String(column[row] + 0)).join();
            if (!known.has(key)) {
              known.set(key, known.size);
              rows.forEach((column, part) => values[part].push(column[row] + 0));
            }
            assert.is(heap.arena.u32[numbers / 4 + row], known.get(key), key);
          }
        }
        assert.is(chain.count, known.size);
        assert.equal(
          chain.values().map((column) => Array.from(column, (value) => value + 0)),
          values,
        );
      }
    });
  });

  test("without keys there is one combination, even before the first row", () => {
    const chain = new KeyChain(new Heap(), []);
    assert.is(chain.count, 1);
    assert.equal(chain.values(), []);
  });
});

suite("engine/operators/keys/groupTable", (test) => {
  test("key numbers do not change while the table of groups grows", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const heap = new Heap();
      const table = new GroupTable(heap);
      const keys = heap.reserve(vectorSize * 8);
      const numbers = heap.reserve(vectorSize * 4);
      const known = new Map<number, number>();
      while (known.size < 50_000) {
        const rowCount = random.pick([0, 1, 1023, 1024, 1025, vectorSize]);
        const values = Array.from({ length: rowCount }, () => random.below(2 ** 17));
        // Keys have 64 bits, so this test can use the keys of doubles.
        heap.arena.f64.set(values, keys / 8);
        table.find(keys, rowCount, numbers);
        values.forEach((value, row) => {
          if (!known.has(value)) known.set(value, known.size);
          assert.is(heap.arena.u32[numbers / 4 + row], known.get(value));
        });
        assert.is(table.count, known.size);
      }
      for (const [value, number] of known)
        assert.is(heap.arena.f64[table.keys / 8 + number], value);
    });
  });
});
