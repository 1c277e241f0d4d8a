import * as assert from "uvu/assert";
import { EngineError } from "../../../engine/index.ts";
import { Memory, type Block, type Lease } from "../../../engine/memory/memory.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

const refusal = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof EngineError) return error.code;
    throw error;
  }
  return "nothing was refused";
};

suite("engine/memory", (test) => {
  test("blocks are aligned, apart from one another, keep their bytes while they are leased, and are all given back at the end", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const memory = new Memory({ budgetBytes: 2 ** 26, arenaBytes: 2 ** 21 });
      const live: { block: Block; mark: number }[] = [];
      const freed: { block: Block; mark: number; leases: Set<Lease> }[] = [];
      const leases = new Set<Lease>();
      const check = ({ block, mark }: { block: Block; mark: number }) =>
        assert.ok(
          memory.bytes(block).every((byte) => byte === mark),
          `the block at ${block.arena}:${block.offset} was written by another`,
        );
      for (let step = 0; step < 3000; step++) {
        const kind = random.below(10);
        if (kind < 5) {
          const wanted = random.chance(0.1) ? random.below(2 ** 17) : random.below(5000);
          const block = memory.allocate(wanted, random.below(3));
          assert.is(block.offset % 64, 0);
          assert.ok(block.sizeBytes >= wanted);
          assert.ok(
            block.offset + block.sizeBytes + 64 <= memory.buffer(block.arena).byteLength,
            "64 bytes behind a block are readable",
          );
          const mark = 1 + random.below(255);
          memory.bytes(block).fill(mark);
          live.push({ block, mark });
        } else if (kind < 8 && live.length > 0) {
          const [one] = live.splice(random.below(live.length), 1);
          check(one);
          memory.free(one.block);
          if (leases.size > 0) freed.push({ ...one, leases: new Set(leases) });
        } else if (kind === 8) leases.add(memory.lease());
        else if (leases.size > 0) {
          const lease = random.pick([...leases]);
          leases.delete(lease);
          for (const one of freed.filter(({ leases: held }) => held.has(lease))) check(one);
          lease.end();
          lease.end();
          for (const one of freed.splice(0)) {
            one.leases.delete(lease);
            if (one.leases.size > 0) freed.push(one);
          }
        }
      }
      live.forEach(check);
      freed.forEach(check);
      for (const lease of leases) lease.end();
      for (const { block } of live) memory.free(block);
      assert.is(memory.usedBytes, 0);
      assert.ok(memory.arenas.length > 1, "the test fills more than one arena");
      const capacity = memory.arenas.map(({ buffer }) => buffer.byteLength);
      const whole = capacity.map((size, arena) => memory.allocate(size - 65_536 - 64, arena));
      assert.equal(
        whole.map(({ arena, offset }) => [arena, offset]),
        capacity.map((_, arena) => [arena, 65_536]),
        "everything coalesces",
      );
    });
  });

  test("a block is given back when the leases of its time have ended, whatever leases came later", () => {
    const memory = new Memory({ budgetBytes: 2 ** 20 });
    const early = memory.lease();
    const block = memory.allocate(1000);
    memory.free(block);
    const late = memory.lease();
    assert.is(memory.usedBytes, 1024);
    early.end();
    assert.is(memory.usedBytes, 0);
    late.end();
    memory.free(memory.allocate(1000));
    assert.is(memory.usedBytes, 0);
  });

  test("a block cannot be freed twice", () => {
    const memory = new Memory({ budgetBytes: 2 ** 20 });
    const block = memory.allocate(64);
    memory.free(block);
    assert.throws(() => memory.free(block), /no block starts/);
  });

  test("the budget counts blocks, reservations and charges, and asks for eviction before it refuses", () => {
    const memory = new Memory({ budgetBytes: 10_000 });
    const block = memory.allocate(4000);
    memory.reserve(3000);
    memory.charge(2000);
    assert.is(
      refusal(() => memory.allocate(1000)),
      "STORE_OUT_OF_MEMORY",
    );
    assert.is(
      refusal(() => memory.reserve(1000)),
      "STORE_OUT_OF_MEMORY",
    );
    const missing: number[] = [];
    memory.reclaim = (sizeBytes) => {
      missing.push(sizeBytes);
      memory.free(block);
    };
    memory.allocate(1000);
    assert.equal(missing, [4032 + 3000 + 2000 + 1024 - 10_000]);
    memory.release(3000);
    memory.charge(-2000);
    assert.is(memory.usedBytes, 1024);
    assert.is(memory.allocate(20_000, undefined, false).sizeBytes, 20_032);
  });

  test("scratch lies in the arena that is asked for, has its own budget, and goes at once", () => {
    const memory = new Memory({ budgetBytes: 128, scratchBytes: 2 ** 20 });
    memory.allocate(128);
    const lease = memory.lease();
    const scratch = memory.allocateScratch(2 ** 19, 2);
    assert.is(scratch.arena, 2);
    assert.is(memory.usedBytes, 128);
    assert.is(
      refusal(() => memory.allocateScratch(2 ** 20, 0)),
      "QUERY_OUT_OF_MEMORY",
    );
    memory.freeScratch(scratch);
    assert.is(memory.scratchUsedBytes, 0);
    lease.end();
  });

  test("data goes to the next arena when one is full, and scratch still finds room there", () => {
    const memory = new Memory({ budgetBytes: 2 ** 26, arenaBytes: 2 ** 21 });
    assert.is(memory.allocate(2 ** 20).arena, 0);
    assert.is(memory.allocate(2 ** 20, 0).arena, 1);
    assert.is(memory.allocateScratch(2 ** 22, 0).arena, 0);
    assert.is(
      refusal(() => memory.allocate(2 ** 22)),
      "STORE_OUT_OF_MEMORY",
    );
    assert.is(memory.arenas.length, 2);
  });

  test("old views stay valid when an arena grows", () => {
    const memory = new Memory({ budgetBytes: 2 ** 28 });
    const block = memory.allocate(1000);
    const view = memory.bytes(block);
    view.fill(7);
    memory.allocate(2 ** 27);
    view[0] = 8;
    assert.is(memory.bytes(block)[0], 8);
    assert.is(memory.bytes(block)[999], 7);
  });
});
