import * as assert from "uvu/assert";
import { Memory } from "../../../engine/memory/memory.ts";
import { warmLoading } from "../../../engine/warming/warmLoading.ts";
import { suite } from "../../support/suite.ts";
import { rejects } from "../tables.ts";

/** A memory that counts allocations within its budget. */
function watchedMemory() {
  const memory = new Memory({ budgetBytes: 2 ** 22 });
  const allocate = memory.allocate.bind(memory);
  const watched = { memory, extentCount: 0 };
  memory.allocate = (sizeBytes, near, isBudgeted) => {
    if (isBudgeted !== false) watched.extentCount++;
    return allocate(sizeBytes, near, isBudgeted);
  };
  return watched;
}

suite("engine/warming/warmLoading", (test) => {
  test("each warm-up round loads and evicts three columns and frees all memory", async () => {
    const watched = watchedMemory();
    const { memory } = watched;
    const loaded: number[] = [];
    const held: number[] = [];
    await warmLoading(() => {
      loaded.push(watched.extentCount);
      held.push(memory.usedBytes);
      return Promise.resolve(true);
    }, memory);
    assert.equal(
      loaded,
      Array.from({ length: 16 }, (_, round) => round * 3),
    );
    assert.is(new Set(held.slice(1)).size, 1, "each round leaves the same memory as the first");
    assert.is(memory.usedBytes, 0);
  });

  test("the warm-up of loading stops after a round in which the store is no longer idle", async () => {
    const watched = watchedMemory();
    let left = 4;
    await warmLoading(() => Promise.resolve(left-- > 0), watched.memory);
    assert.is(left, -1);
    assert.is(watched.extentCount, 4 * 3);
    assert.is(watched.memory.usedBytes, 0);
  });

  test("without enough memory, the warm-up of loading fails and frees its memory", async () => {
    const memory = new Memory({ budgetBytes: 2 ** 12 });
    await rejects(
      warmLoading(() => Promise.resolve(true), memory),
      "STORE_OUT_OF_MEMORY",
    );
    assert.is(memory.usedBytes, 0);
  });
});
