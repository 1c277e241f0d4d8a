import * as assert from "uvu/assert";
import { newBuffers } from "../../../../engine/ingest/decode/columnBuffers.ts";
import { ReusedBuffers } from "../../../../engine/ingest/decode/reusedBuffers.ts";
import { createRandom, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const seed = Number(process.env["SEED"] ?? 20261204);

function takeRandom(
  buffers: ReusedBuffers,
  random: Random,
): Float64Array | Int32Array | Uint8Array {
  const count = random.below(random.pick([1, 10, 5_000, 400_000]));
  const array = random.pick([
    () => buffers.doubles(count),
    () => buffers.words(count),
    () => buffers.bytes(count),
  ])();
  if (array.length !== count) throw new Error(`${array.length} instead of ${count}`);
  return array;
}

suite("engine/ingest/decode/reusedBuffers", (test) => {
  test("the arrays of a batch never overlap, even when the buffers grow", () => {
    const random = createRandom(seed);
    const buffers = new ReusedBuffers();
    for (let batch = 0; batch < 5; batch++) {
      const arrays = Array.from({ length: 60 }, () => takeRandom(buffers, random));
      arrays.forEach((array, index) => array.fill(index + 1));
      arrays.forEach((array, index) =>
        assert.ok(
          array.every((value) => value === index + 1),
          `array ${index} of batch ${batch}`,
        ),
      );
      buffers.clear();
    }
  });

  test("the second of two equally large batches fits into one buffer, which the next batch reuses", () => {
    const buffers = new ReusedBuffers();
    const take = () => Array.from({ length: 20 }, () => buffers.doubles(100_000).buffer);
    take();
    buffers.clear();
    const second = new Set(take());
    assert.is(second.size, 1);
    buffers.clear();
    assert.equal(new Set(take()), second);
  });

  test("at most 64 MB of buffers are kept for the next batch", () => {
    const buffers = new ReusedBuffers();
    const large = buffers.bytes(2 ** 26 + 1).buffer;
    buffers.clear();
    assert.ok(buffers.bytes(10).buffer !== large);
    const kept = buffers.bytes(1000).buffer;
    buffers.clear();
    assert.ok(buffers.bytes(10).buffer === kept);
  });

  test("arrays that are created with newBuffers never share a buffer", () => {
    const arrays = [newBuffers.doubles(3), newBuffers.words(3), newBuffers.bytes(3)];
    assert.equal(
      arrays.map(({ buffer }) => buffer.byteLength),
      [24, 12, 3],
    );
  });
});
