import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { fewGroups, fewScratchBytes, fewBlockRows } from "../../../engine/kernels/kernels.ts";
import { suite } from "../../support/suite.ts";
import { openScratch, randomStored, rowCounts, widths } from "./scratch.ts";

/** Disables the V8 instruction that adds four products, so that the kernels add them in pairs. */
const inPairs = "--no-enable-avx-vnni";

suite("engine/kernels/foldingFew", (test) => {
  const scratch = openScratch();
  const { kernels, random } = scratch;
  const counts = [...rowCounts, 63, 64, 65, 2047, 2048, 2049, 4095, 4096, 65_536];
  const turns = (rowCount: number) => Math.ceil(rowCount / fewBlockRows) * fewBlockRows;

  /**
   * Returns group numbers in the form that `numberFew` and `leaveOut` write: the number of a group, or at least 128 for
   * rows without a group and for padding.
   */
  const placeNumbers = (rowCount: number, groupCount: number) => {
    const outsideShare = random.pick([0, 0.2, 1]);
    const numbers = Array.from({ length: rowCount }, () =>
      random.chance(outsideShare) ? 128 + random.below(128) : random.below(groupCount),
    );
    const bytes = new Uint8Array(turns(rowCount)).fill(255);
    bytes.set(numbers);
    return { numbers, at: scratch.place(bytes) };
  };

  test("numberFew adds (code - first) * stride for each key, and excludes padding rows", () => {
    for (const rowCount of counts) {
      for (const [firstCount, secondCount] of [
        [16, 1],
        [1, 16],
        [5, 3],
        [2, 8],
      ] as const) {
        scratch.reset();
        const [first, second] = [random.below(240), random.pick([0, 240])];
        const codes = Array.from({ length: rowCount }, () => first + random.below(firstCount));
        const others = Array.from({ length: rowCount }, () => second + random.below(secondCount));
        const codesAt = scratch.stored(codes, 1);
        const othersAt = scratch.stored(others, 1);
        const numbers = scratch.output(turns(rowCount));
        scratch.run(() => kernels.numberFew(codesAt, rowCount, first, 1, numbers, 1));
        assert.deepEqual(
          scratch.bytes(numbers, rowCount),
          codes.map((code) => code - first),
        );
        scratch.run(() => kernels.numberFew(othersAt, rowCount, second, firstCount, numbers, 0));
        assert.deepEqual(
          scratch.bytes(numbers, rowCount),
          codes.map((code, row) => code - first + firstCount * (others[row] - second)),
        );
        const behind = scratch.bytes(numbers + rowCount, turns(rowCount) - rowCount);
        assert.ok(behind.every((number) => number >= 128));
      }
    }
  });

  test("narrowFew narrows 32-bit numbers, and excludes padding rows", () => {
    for (const rowCount of counts) {
      scratch.reset();
      const wide = Array.from({ length: rowCount }, () => random.below(fewGroups));
      const wideAt = scratch.place(new Uint32Array(wide));
      const numbers = scratch.output(turns(rowCount));
      scratch.run(() => kernels.narrowFew(wideAt, rowCount, numbers));
      assert.deepEqual(scratch.bytes(numbers, rowCount), wide);
      const behind = scratch.bytes(numbers + rowCount, turns(rowCount) - rowCount);
      assert.ok(behind.every((number) => number >= 128));
    }
  });

  test("leaveOut excludes exactly the rows whose mask is 0, and returns the remaining groups as bits", () => {
    for (const rowCount of counts) {
      scratch.reset();
      const groupCount = random.pick([1, 5, fewGroups]);
      const before = Array.from({ length: rowCount }, () => random.below(groupCount));
      const share = random.pick([0, 0.01, 0.5, 1]);
      const mask = before.map(() => (random.chance(share) ? 1 : 0));
      const maskAt = scratch.stored(mask, 1);
      const bytes = Uint8Array.from({ length: turns(rowCount) }, () => random.below(256));
      bytes.set(before);
      const numbers = scratch.output(bytes.length, bytes);
      const left = scratch.run(() => kernels.leaveOut(maskAt, rowCount, numbers));
      const present = before.filter((_, row) => mask[row] === 1);
      assert.equal(
        left,
        present.reduce((set, group) => set | (1 << group), 0),
      );
      scratch.bytes(numbers, turns(rowCount)).forEach((number, row) => {
        if (mask[row] === 1) assert.equal(number, before[row]);
        else assert.ok(number >= 128);
      });
    }
  });

  const isIn = (present: number, group: number) => ((present >> group) & 1) === 1;

  test("countFew counts the rows of each group and changes no other doubles", () => {
    for (const rowCount of counts) {
      scratch.reset();
      const groupCount = 1 + random.below(fewGroups);
      const { numbers, at } = placeNumbers(rowCount, groupCount);
      const present = random.pick([-1, random.below(2 ** groupCount)]);
      const twin = Float64Array.from({ length: groupCount * 2 }, () => random.below(100));
      const out = scratch.output(twin.byteLength, twin);
      scratch.run(() => kernels.countFew(at, rowCount, groupCount, present, out));
      for (let group = 0; group < groupCount; group++)
        twin[2 * group] = isIn(present, group)
          ? numbers.filter((number) => number === group).length
          : 0;
      assert.deepEqual(scratch.doubles(out, twin.length), [...twin]);
    }
  });

  if (process.arch === "x64" && !process.execArgv.includes(inPairs))
    test.deep("this file's tests also pass on processors that add products in pairs", () => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [inPairs, ...process.execArgv, fileURLToPath(import.meta.url)],
        { encoding: "utf8" },
      );
      assert.equal(status, 0, stdout + stderr);
      assert.match(stdout, /Passed: {4}\d/);
    });

  for (const width of widths) {
    test(`foldFew counts and sums ${width}-byte values for every number of groups`, () => {
      const largest = 2 ** (8 * width) - 1;
      for (const [index, rowCount] of counts.entries()) {
        for (const hasNulls of [0, 1]) {
          scratch.reset();
          const groupCount = 1 + ((index + hasNulls) % fewGroups);
          const { numbers, at } = placeNumbers(rowCount, groupCount);
          const stored = random.pick([
            randomStored(random, rowCount, width),
            Array<number>(rowCount).fill(largest),
            Array<number>(rowCount).fill(0),
          ]);
          const values = hasNulls ? stored : stored.map((value) => Math.max(1, value));
          const valuesAt = scratch.stored(values, width);
          const present = random.pick([-1, random.below(2 ** groupCount)]);
          const planes = scratch.output(fewScratchBytes);
          const twin = new Float64Array(groupCount * 2);
          const out = scratch.output(twin.byteLength);
          scratch.run(() =>
            kernels.foldFew[width](
              at,
              valuesAt,
              rowCount,
              groupCount,
              present,
              hasNulls,
              planes,
              out,
            ),
          );
          numbers.forEach((number, row) => {
            if (number >= 128 || values[row] === 0 || !isIn(present, number)) return;
            twin[2 * number]++;
            twin[2 * number + 1] += values[row];
          });
          assert.deepEqual(scratch.doubles(out, twin.length), [...twin]);
        }
      }
    });
  }
});
