import * as assert from "uvu/assert";
import { EngineError } from "../../../engine/index.ts";
import { Memory, type Block, type Lease } from "../../../engine/memory/memory.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { withoutRoom } from "../withoutRoom.ts";

const refusal = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof EngineError) return error.code;
    throw error;
  }
  return "the call did not throw";
};

/** Returns whether every byte of a block equals `mark`. */
function isFilled({ buffer, byteOffset, byteLength }: Uint8Array, mark: number): boolean {
  return Buffer.from(buffer, byteOffset, byteLength).equals(Buffer.alloc(byteLength, mark));
}

suite("engine/memory", (test) => {
  test("blocks are aligned, do not overlap and keep their bytes while they are leased", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const memory = new Memory({ budgetBytes: 2 ** 26, arenaBytes: 2 ** 21 });
      const live: { block: Block; mark: number }[] = [];
      const freed: { block: Block; mark: number; leases: Set<Lease> }[] = [];
      const leases = new Set<Lease>();
      const check = ({ block, mark }: { block: Block; mark: number }) =>
        assert.ok(
          isFilled(memory.bytes(block), mark),
          `the block at ${block.arena}:${block.offset} was overwritten`,
        );
      for (let step = 0; step < rounds({ quick: 1000, deep: 3000 }); step++) {
        const kind = random.below(10);
        if (kind < 5) {
          const wanted = random.chance(0.1) ? random.below(2 ** 17) : random.below(5000);
          const block = memory.allocate(wanted, random.below(3));
          assert.is(block.offset % 64, 0);
          assert.ok(block.sizeBytes >= wanted);
          assert.ok(
            block.offset + block.sizeBytes + 64 <= memory.buffer(block.arena).byteLength,
            "the 64 bytes after a block are readable",
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

  test("a freed block can be reused once earlier leases have been released", () => {
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

  test("an allocation beyond the budget requests an eviction before it fails", () => {
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

  test("scratch memory has a budget of its own, and can be reused as soon as it is freed", () => {
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

  test("when an arena is full, data goes to the next arena, but scratch memory still fits in the full arena", () => {
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

  test("existing views stay valid when an arena grows", () => {
    const memory = new Memory({ budgetBytes: 2 ** 28 });
    const block = memory.allocate(1000);
    const view = memory.bytes(block);
    view.fill(7);
    memory.allocate(2 ** 27);
    view[0] = 8;
    assert.is(memory.bytes(block)[0], 8);
    assert.is(memory.bytes(block)[999], 7);
  });

  test("an arena that is empty at two sweeps is replaced by new memory", () => {
    const memory = new Memory({
      budgetBytes: 2 ** 26,
      arenaBytes: 2 ** 21,
      leastReleasedBytes: 2 ** 20,
    });
    const blocks = [0, 1, 2].map(() => memory.allocate(1.5 * 2 ** 20));
    assert.equal(
      blocks.map(({ arena }) => arena),
      [0, 1, 2],
    );
    const [, second] = memory.arenas;
    const before = memory.arenaBytes;
    assert.is(memory.releaseArenas(), 0);
    memory.free(blocks[1]);
    assert.is(memory.releaseArenas(), 0, "it was in use since the last call");
    assert.is(memory.releaseArenas(), second.buffer.byteLength);
    assert.is(memory.arenaBytes, before - second.buffer.byteLength + 65_536);
    assert.equal(memory.versions, [0, 1, 0]);
    assert.is.not(memory.arenas[1], second);
    assert.is(memory.releaseArenas(), 0);
    const again = memory.allocate(2 ** 20);
    assert.is(again.arena, 1);
    assert.is(memory.bytes(again)[0], 0, "the memory is new");
  });

  test("an arena that was used between two sweeps stays", () => {
    const memory = new Memory({ budgetBytes: 2 ** 26, leastReleasedBytes: 2 ** 20 });
    for (let round = 0; round < 4; round++) {
      memory.freeScratch(memory.allocateScratch(2 ** 21, 0));
      assert.is(memory.releaseArenas(), 0);
    }
    assert.is(memory.releaseArenas(), 2 ** 21 + 65_536 * 2);
  });

  test("an arena stays while its freed blocks may still be read", () => {
    const memory = new Memory({ budgetBytes: 2 ** 26, leastReleasedBytes: 2 ** 20 });
    const lease = memory.lease();
    const block = memory.allocate(2 ** 21);
    memory.bytes(block).fill(9);
    memory.free(block);
    for (let round = 0; round < 3; round++) assert.is(memory.releaseArenas(), 0);
    assert.is(memory.bytes(block)[5], 9);
    lease.end();
    memory.releaseArenas();
    assert.ok(memory.releaseArenas() > 0);
  });

  test("an arena that stays nearly empty is drained and then released", () => {
    const memory = new Memory({ budgetBytes: 2 ** 28, leastReleasedBytes: 2 ** 22 });
    const small = memory.allocate(1000);
    memory.bytes(small).fill(3);
    const large = memory.allocate(2 ** 25);
    memory.free(large);
    memory.releaseArenas();
    assert.is(memory.drainingArena, undefined, "it was full since the last call");
    memory.releaseArenas();
    assert.is(memory.drainingArena, 0);
    assert.is(memory.allocate(64, 0).arena, 1);
    const lease = memory.lease();
    const copy = memory.copy(small);
    memory.free(small);
    assert.is(copy.arena, 1);
    assert.is(memory.bytes(copy)[999], 3);
    assert.is(memory.releaseArenas(), 0, "the lease protects the moved block");
    assert.is(memory.bytes(small)[999], 3);
    lease.end();
    assert.ok(memory.releaseArenas() > 2 ** 25);
    assert.is(memory.drainingArena, undefined);
    assert.is(memory.allocate(2 ** 20, 0).arena, 0);
  });

  test("draining an arena stops if the system has no memory for another arena", async () => {
    const memory = new Memory({ budgetBytes: 2 ** 28, leastReleasedBytes: 2 ** 22 });
    const small = memory.allocate(1000);
    memory.free(memory.allocate(2 ** 25));
    memory.releaseArenas();
    memory.releaseArenas();
    assert.is(memory.drainingArena, 0);
    await withoutRoom(() => {
      const usedBytes = memory.usedBytes;
      assert.is(
        refusal(() => memory.copy(small)),
        "STORE_OUT_OF_MEMORY",
      );
      assert.is(memory.usedBytes, usedBytes);
      assert.is(memory.allocate(2 ** 20).arena, 0);
      memory.free(small);
      assert.is(memory.releaseArenas(), 0);
      assert.is(
        refusal(() => memory.allocateScratch(64, 1)),
        "QUERY_OUT_OF_MEMORY",
      );
    });
  });

  test("data goes to the fullest arena that has enough space", () => {
    const memory = new Memory({ budgetBytes: 2 ** 26, arenaBytes: 2 ** 22 });
    const blocks = Array.from({ length: 6 }, () => memory.allocate(1.5 * 2 ** 20));
    assert.equal(
      blocks.map(({ arena }) => arena),
      [0, 0, 1, 1, 2, 2],
    );
    memory.free(blocks[0]);
    memory.free(blocks[1]);
    memory.free(blocks[2]);
    assert.is(memory.allocate(2 ** 20).arena, 1);
  });

  test.deep("blocks keep their bytes while arenas are drained and released", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const memory = new Memory({
        budgetBytes: 2 ** 28,
        arenaBytes: 2 ** 20,
        leastReleasedBytes: 2 ** 18,
      });
      let live: { block: Block; mark: number }[] = [];
      const leased: { lease: Lease; seen: { block: Block; mark: number }[] }[] = [];
      let releasedBytes = 0;
      let movedCount = 0;
      const check = (seen: readonly { block: Block; mark: number }[]) => {
        for (const { block, mark } of seen)
          assert.ok(
            isFilled(memory.bytes(block), mark),
            `the block at ${block.arena}:${block.offset} has changed`,
          );
      };
      const sweep = () => {
        releasedBytes += memory.releaseArenas();
        const { drainingArena } = memory;
        live = live.map(({ block, mark }) => {
          if (block.arena !== drainingArena || random.chance(0.1)) return { block, mark };
          const copy = memory.copy(block);
          memory.free(block);
          movedCount++;
          return { block: copy, mark };
        });
      };
      for (let step = 0; step < rounds({ quick: 100, deep: 4000 }); step++) {
        const isFilling = Math.floor(step / 400) % 2 === 0;
        const kind = random.below(20);
        if (kind < (isFilling ? 12 : 4)) {
          const block = memory.allocate(random.below(60_000), random.below(8));
          const mark = 1 + random.below(255);
          memory.bytes(block).fill(mark);
          live.push({ block, mark });
        } else if (kind < 16 && live.length > 0) {
          const [{ block }] = live.splice(random.below(live.length), 1);
          memory.free(block);
        } else if (kind === 16) leased.push({ lease: memory.lease(), seen: [...live] });
        else if (kind === 17 && leased.length > 0) {
          const [{ lease, seen }] = leased.splice(random.below(leased.length), 1);
          check(seen);
          lease.end();
        } else if (kind === 18) sweep();
        if (step % 800 === 799) {
          for (const { lease, seen } of leased.splice(0)) {
            check(seen);
            lease.end();
          }
          for (const { block } of live.splice(10)) memory.free(block);
          for (let turn = 0; turn < 3; turn++) sweep();
        }
        if (step % 100 === 0) check(live);
      }
      check(live);
      for (const { lease, seen } of leased) {
        check(seen);
        lease.end();
      }
      for (const { block } of live) memory.free(block);
      assert.is(memory.usedBytes, 0);
      assert.ok(releasedBytes > 2 ** 22, `only ${releasedBytes} bytes were released`);
      assert.ok(movedCount > 0, "something moved");
      memory.releaseArenas();
      memory.releaseArenas();
      const least = memory.arenas.filter(({ buffer }) => buffer.byteLength >= 2 ** 18);
      assert.equal(least, []);
    });
  });
});
