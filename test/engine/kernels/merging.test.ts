import assert from "node:assert/strict";
import { suite } from "../../support/suite.ts";
import { openScratch, randomDoubles } from "./scratch.ts";

suite("engine/kernels/merging", (test) => {
  const scratch = openScratch();
  const { kernels, random } = scratch;
  const sizes = [0, 16, 32, 48, 64, 80, 112, 160, 4096, 65_536 + 16];

  test("addStates adds the doubles of two states", () => {
    for (const sizeBytes of sizes) {
      scratch.reset();
      const before = new Float64Array(randomDoubles(random, sizeBytes / 8));
      const other = new Float64Array(randomDoubles(random, sizeBytes / 8));
      const target = scratch.output(sizeBytes, before);
      const otherAt = scratch.place(other);
      scratch.run(() => kernels.addStates(target, otherAt, sizeBytes));
      assert.deepEqual(
        scratch.doubles(target, before.length),
        Array.from(before, (value, index) => value + other[index]),
      );
    }
  });

  test("leastStates keeps the smaller double of each pair", () => {
    for (const sizeBytes of sizes) {
      scratch.reset();
      const doubles = () =>
        Float64Array.from({ length: sizeBytes / 8 }, () =>
          random.pick([Infinity, -Infinity, -1, random.below(1000)]),
        );
      const before = doubles();
      const other = doubles();
      const target = scratch.output(sizeBytes, before);
      const otherAt = scratch.place(other);
      scratch.run(() => kernels.leastStates(target, otherAt, sizeBytes));
      assert.deepEqual(
        scratch.doubles(target, before.length),
        Array.from(before, (value, index) => Math.min(value, other[index])),
      );
    }
  });

  test("orBits, addCounts and countBits process whole 32-bit words", () => {
    for (const sizeBytes of sizes) {
      scratch.reset();
      const words = () =>
        Uint32Array.from({ length: sizeBytes / 4 }, () =>
          random.pick([0, 2 ** 32 - 1, random.below(2 ** 32)]),
        );
      const before = words();
      const other = words();
      const ored = scratch.output(sizeBytes, before);
      const added = scratch.output(sizeBytes, before);
      const otherAt = scratch.place(other);
      scratch.run(() => kernels.orBits(ored, otherAt, sizeBytes));
      scratch.run(() => kernels.addCounts(added, otherAt, sizeBytes));
      assert.deepEqual(
        scratch.words(ored, before.length),
        Array.from(before, (word, index) => (word | other[index]) >>> 0),
      );
      assert.deepEqual(
        scratch.words(added, before.length),
        Array.from(before, (word, index) => (word + other[index]) >>> 0),
      );
      const bits = [...before].map((word) => word.toString(2).replaceAll("0", "").length);
      assert.equal(
        scratch.run(() => kernels.countBits(ored, 0)),
        0,
      );
      const beforeAt = scratch.place(before);
      assert.equal(
        scratch.run(() => kernels.countBits(beforeAt, sizeBytes)),
        bits.reduce((sum, count) => sum + count, 0),
      );
    }
  });
});
