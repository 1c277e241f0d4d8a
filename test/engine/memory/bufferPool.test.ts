import assert from "node:assert/strict";
import { BufferPool } from "../../../engine/memory/bufferPool.ts";
import { createRandom } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

suite("engine/memory/bufferPool", (test) => {
  test("a pooled buffer has one user at a time and at least the requested size", () => {
    const random = createRandom(Number(process.env["SEED"] ?? 20261202));
    const pool = new BufferPool();
    const held = new Set<SharedArrayBuffer>();
    let again = 0;
    const known = new WeakSet<SharedArrayBuffer>();
    for (let step = 0; step < 2_000; step++) {
      if (held.size > 0 && random.chance(0.5)) {
        const buffer = random.pick([...held]);
        held.delete(buffer);
        pool.give(buffer);
      } else {
        const sizeBytes = random.below(random.pick([100, 10_000, 2 ** 21]));
        const buffer = pool.take(sizeBytes);
        assert.ok(buffer.byteLength >= sizeBytes);
        assert.ok(!held.has(buffer));
        if (known.has(buffer)) again++;
        known.add(buffer);
        held.add(buffer);
      }
    }
    assert.ok(again > 200, `only ${again} were reused`);
    for (const buffer of held) pool.give(buffer);
    let count = 0;
    let keptBytes = 0;
    for (let buffer = pool.find(0); buffer; buffer = pool.find(0)) count++;
    for (let sizeBytes = 2 ** 16; sizeBytes < 2 ** 23; sizeBytes *= 2)
      for (let buffer = pool.find(sizeBytes); buffer; buffer = pool.find(sizeBytes)) {
        count++;
        keptBytes += buffer.byteLength;
      }
    assert.ok(count <= 32 && keptBytes <= 2 ** 26);
  });

  test("the pool never returns a buffer of eight times the requested size or more, except for small requests", () => {
    const pool = new BufferPool();
    pool.give(new SharedArrayBuffer(2 ** 22));
    assert.equal(pool.find(2 ** 18), undefined);
    assert.equal(pool.find(2 ** 19)?.byteLength, 2 ** 22);
    pool.give(new SharedArrayBuffer(2 ** 19));
    assert.equal(pool.find(1)?.byteLength, 2 ** 19);
    assert.equal(pool.find(1), undefined);
  });

  test("the pool first releases the buffers that have been free for the longest time", () => {
    const pool = new BufferPool();
    for (let sizeBytes = 1; sizeBytes <= 40; sizeBytes++)
      pool.give(new SharedArrayBuffer(sizeBytes));
    assert.equal(pool.find(1)?.byteLength, 9);
  });
});
