import assert from "node:assert/strict";
import { suite } from "../../support/suite.ts";
import { openScratch, padded, randomDoubles, randomStored, rowCounts, widths } from "./scratch.ts";

suite("engine/kernels/masks", (test) => {
  const scratch = openScratch();
  const { kernels, random } = scratch;

  test("`range` marks the stored numbers between two bounds, for every width", () => {
    for (const width of widths) {
      const bound = 2 ** (8 * width);
      for (const rowCount of rowCounts) {
        scratch.reset();
        const stored = randomStored(random, rowCount, width);
        const [low, high] = random.pick([
          [0, bound - 1],
          [1, bound - 1],
          [bound - 1, bound - 1],
          [0, 0],
          [random.below(bound), random.below(bound)],
          [1, 1 + random.below(bound)],
          [bound >> 1, bound],
          [5, 4],
        ] as const);
        const values = scratch.stored(stored, width);
        const mask = scratch.output(padded(rowCount));
        scratch.run(() => kernels.range[width](values, rowCount, low, high, mask));
        assert.deepEqual(
          scratch.bytes(mask, rowCount),
          stored.map((value) => Number(low <= value && value <= high)),
        );
      }
    }
  });

  test("`range` accepts bounds that are fractional, infinite or beyond the width", () => {
    for (const width of widths) {
      const bound = 2 ** (8 * width);
      for (const [low, high] of [
        [-3, 4],
        [-Infinity, Infinity],
        [3, 2 ** 53],
        [bound, 2 ** 53],
        [2 ** 32, 2 ** 32 + 5],
        [-5, -1],
        [0.5, 3.5],
        [NaN, 4],
        [1, NaN],
      ] as const) {
        scratch.reset();
        const stored = randomStored(random, 100, width);
        const values = scratch.stored(stored, width);
        const mask = scratch.output(padded(100));
        scratch.run(() => kernels.range[width](values, 100, low, high, mask));
        assert.deepEqual(
          scratch.bytes(mask, 100),
          stored.map((value) => Number(low <= value && value <= high)),
          `width ${width}, ${low} to ${high}`,
        );
      }
    }
  });

  test("rangeFloat marks the floats between two bounds, and never NaN", () => {
    const bounds = [
      -Infinity,
      -1e300,
      -1,
      -1e-50,
      -0,
      0,
      1e-50,
      0.1,
      17,
      1e38,
      1e300,
      Infinity,
      NaN,
    ];
    for (const width of [4, 8] as const) {
      for (const rowCount of rowCounts) {
        scratch.reset();
        const low = random.pick(bounds);
        const high = random.pick(bounds);
        const floats = randomDoubles(random, rowCount).map((value) =>
          random.chance(0.2) ? random.pick(bounds) : value,
        );
        const stored = width === 4 ? new Float32Array(floats) : new Float64Array(floats);
        const values = scratch.place(stored);
        const mask = scratch.output(padded(rowCount));
        scratch.run(() => kernels.rangeFloat[width](values, rowCount, low, high, mask));
        assert.deepEqual(
          scratch.bytes(mask, rowCount),
          Array.from(stored, (value) => Number(low <= value && value <= high)),
          `width ${width}, ${low} to ${high}`,
        );
      }
    }
  });

  test("`nullFloat` marks NaN", () => {
    for (const width of [4, 8] as const) {
      for (const rowCount of rowCounts) {
        for (const floats of [randomDoubles(random, rowCount), Array(rowCount).fill(NaN)]) {
          scratch.reset();
          const stored = width === 4 ? new Float32Array(floats) : new Float64Array(floats);
          const values = scratch.place(stored);
          const mask = scratch.output(padded(rowCount));
          scratch.run(() => kernels.nullFloat[width](values, rowCount, mask));
          assert.deepEqual(
            scratch.bytes(mask, rowCount),
            Array.from(stored, (value) => Number(Number.isNaN(value))),
          );
        }
      }
    }
  });

  test.deep("`lookup` reads each row's mask from a table and nothing beyond the last row", () => {
    for (const width of widths) {
      for (const rowCount of rowCounts) {
        scratch.reset();
        const table = Array.from({ length: Math.min(2 ** (8 * width), 70_000) }, () =>
          random.below(2),
        );
        const stored = Array.from({ length: rowCount }, () => random.below(table.length));
        const values = scratch.stored(stored, width);
        const tableAt = scratch.place(new Uint8Array(table));
        const mask = scratch.output(padded(rowCount));
        scratch.run(() => kernels.lookup[width](values, rowCount, tableAt, mask));
        assert.deepEqual(
          scratch.bytes(mask, rowCount),
          stored.map((value) => table[value]),
        );
      }
    }
  });

  test("`member` looks up stored bytes below a bound in a bitmap", () => {
    for (const bound of [1, 2, 15, 16, 17, 64, 127, 128, 129, 255, 256]) {
      for (const rowCount of rowCounts) {
        scratch.reset();
        const share = random.pick([0, 0.1, 0.5, 1]);
        const members = new Set(random.some([...Array(256).keys()], share));
        const bits = new Uint8Array(32);
        for (const value of members) bits[value >> 3] |= 1 << (value & 7);
        const stored = Array.from({ length: rowCount }, () => random.below(bound));
        const values = scratch.stored(stored, 1);
        const set = scratch.place(bits);
        const mask = scratch.output(padded(rowCount));
        scratch.run(() => kernels.member(values, rowCount, set, bound, mask));
        assert.deepEqual(
          scratch.bytes(mask, rowCount),
          stored.map((value) => Number(members.has(value))),
          `bound ${bound}`,
        );
      }
    }
  });

  test("the `member` kernel tests every byte below its bound correctly", () => {
    for (const bound of [16, 128, 256]) {
      scratch.reset();
      const stored = [...Array(bound).keys()];
      const values = scratch.stored(stored, 1);
      const mask = scratch.output(bound);
      for (const only of stored) {
        const bits = scratch.place(
          Uint8Array.from({ length: 32 }, (_, byte) => (byte === only >> 3 ? 1 << (only & 7) : 0)),
        );
        scratch.run(() => kernels.member(values, bound, bits, bound, mask));
        assert.equal(scratch.bytes(mask, bound).indexOf(1), only);
        assert.equal(scratch.bytes(mask, bound).lastIndexOf(1), only);
      }
    }
  });

  test("andMask, orMask and notMask combine masks, even in place, and andMask counts the rows of the result", () => {
    for (const rowCount of rowCounts) {
      for (const isInPlace of [false, true]) {
        scratch.reset();
        const left = Uint8Array.from({ length: padded(rowCount) }, () => random.below(2));
        const right = Uint8Array.from({ length: padded(rowCount) }, () => random.below(2));
        for (const name of ["andMask", "orMask", "notMask"] as const) {
          const leftAt = isInPlace ? scratch.output(left.length, left) : scratch.place(left);
          const rightAt = scratch.place(right);
          const mask = isInPlace ? leftAt : scratch.output(padded(rowCount));
          const count = scratch.run(() =>
            name === "notMask"
              ? kernels.notMask(leftAt, rowCount, mask)
              : kernels[name](leftAt, rightAt, rowCount, mask),
          );
          const twin = {
            andMask: (row: number) => left[row] & right[row],
            orMask: (row: number) => left[row] | right[row],
            notMask: (row: number) => 1 - left[row],
          }[name];
          assert.deepEqual(
            scratch.bytes(mask, rowCount),
            Array.from({ length: rowCount }, (_, row) => twin(row)),
          );
          if (name !== "andMask") continue;
          const rows = [...Array(rowCount).keys()];
          assert.equal(count, rows.filter((row) => twin(row) === 1).length);
        }
      }
    }
  });
});
