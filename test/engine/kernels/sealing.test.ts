import * as assert from "uvu/assert";
import { openSealers } from "../../../engine/kernels/openKernels.ts";
import type { Random } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { openScratch, rowCounts } from "./scratch.ts";

const dayMs = 86_400_000;
const scratch = openScratch();
const { random } = scratch;
const sealers = openSealers(scratch.memory);
const powers = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000];

const kinds: readonly ((random: Random) => number)[] = [
  () => NaN,
  (random) => random.below(200),
  (random) => random.below(60_000) - 30_000,
  (random) => random.below(10_000) / 100,
  (random) => random.below(2 ** 31) / 1_000_000,
  (random) => random.below(2 ** 31) / 7,
  (random) => Math.fround(random.below(1000) / 7),
  (random) => random.pick([0, -0]),
  (random) => random.pick([1e300, -1e300, 5e-324, 2 ** 53 - 1, 1 - 2 ** 53, 0.5, -0.5, 1.5]),
];

/** Returns random doubles of some kinds, or of all kinds. */
function randomValues(rowCount: number): number[] {
  const chosen = random.chance(0.5) ? random.some(kinds, 0.3) : [random.pick(kinds)];
  const used = chosen.length > 0 ? chosen : kinds;
  return Array.from({ length: rowCount }, () => random.pick(used)(random));
}

const fits = (value: number, decimals: number) =>
  Math.round(value * powers[decimals]) / powers[decimals] === value;

function plainZone(values: readonly number[], start: number): readonly number[] {
  const present = values.filter((value) => value === value);
  let decimals = start;
  for (const value of present) {
    while (decimals >= 0 && decimals <= 6 && !fits(value, decimals)) decimals++;
    if (decimals > 6) decimals = -1;
  }
  const least = present.length > 0 ? Math.min(...present) : NaN;
  const greatest = present.length > 0 ? Math.max(...present) : NaN;
  const negativeZeros = present.filter((value) => Object.is(value, -0)).length;
  return [values.length - present.length, least + 0, greatest + 0, decimals, negativeZeros];
}

/** Returns whole numbers in their stored form, as little-endian bytes. */
const plainBytes = (words: readonly number[], width: number) =>
  words.flatMap((word) =>
    Array.from({ length: width }, (_, byte) => Math.floor(word / 256 ** byte) % 256),
  );

suite("engine/kernels/sealing", (test) => {
  test("zoneNumbers returns the null count, bounds, decimals and the number of negative zeros", () => {
    for (const rowCount of [...rowCounts, ...rowCounts]) {
      scratch.reset();
      const values = randomValues(rowCount);
      const address = scratch.place(Float64Array.from(values));
      const out = scratch.output(40);
      const start = random.pick([-1, 0, 0, 2, 6]);
      scratch.run(() => sealers.zoneNumbers(address, rowCount, start, out));
      const found = scratch.doubles(out, 5).map((value) => value + 0);
      assert.equal(found, plainZone(values, start), String(values.slice(0, 40)));
    }
  });

  test("the bounds of zeros are 0, whatever their signs and order", () => {
    for (const values of [[-0], [-0, 0], [0, -0], [NaN, -0, 0, -0], [-0, -0, -0]]) {
      scratch.reset();
      const address = scratch.place(Float64Array.from(values));
      const out = scratch.output(40);
      scratch.run(() => sealers.zoneNumbers(address, values.length, 0, out));
      assert.equal(scratch.longs(out + 8, 2), [0n, 0n], String(values));
    }
  });

  test("zoneCodes returns the null count and the bounds of the codes", () => {
    for (const rowCount of rowCounts) {
      scratch.reset();
      const bound = random.pick([1, 2, 300, 2 ** 31]);
      const words = Array.from({ length: rowCount }, () => random.below(bound));
      const address = scratch.place(Uint32Array.from(words));
      const out = scratch.output(24);
      scratch.run(() => sealers.zoneCodes(address, rowCount, out));
      const present = words.filter((word) => word > 0);
      const bounds = present.length > 0 ? [Math.min(...present), Math.max(...present)] : [NaN, NaN];
      assert.equal(scratch.doubles(out, 3), [rowCount - present.length, ...bounds]);
    }
  });

  for (const width of [1, 2, 3, 4] as const) {
    test(`sealWhole stores values in ${width} bytes as steps above a bias, and null as 0`, () => {
      for (const rowCount of rowCounts) {
        scratch.reset();
        const decimals = random.below(7);
        const scale = random.pick(width < 4 ? [1, 1000, dayMs] : [1, 1000]);
        const bias = random.below(2 ** 31) - 2 ** 30;
        const words = Array.from({ length: rowCount }, () =>
          random.pick([0, 1, 256 ** width - 1, random.below(256 ** width)]),
        );
        const values = words.map((word) =>
          word === 0 ? NaN : (bias + word * scale) / powers[decimals],
        );
        const address = scratch.place(Float64Array.from(values));
        const to = scratch.output(rowCount * width);
        scratch.run(() =>
          sealers.sealWhole[width](address, rowCount, powers[decimals], bias, scale, to),
        );
        assert.equal(scratch.bytes(to, rowCount * width), plainBytes(words, width));
      }
    });

    test(`sealWords stores words in ${width} bytes`, () => {
      for (const rowCount of rowCounts) {
        scratch.reset();
        const words = Array.from({ length: rowCount }, () => random.below(256 ** width));
        const address = scratch.place(Uint32Array.from(words));
        const to = scratch.output(rowCount * width);
        scratch.run(() => sealers.sealWords[width](address, rowCount, to));
        assert.equal(scratch.bytes(to, rowCount * width), plainBytes(words, width));
      }
    });
  }

  test("4-byte floats are written up to the first value that they cannot represent exactly", () => {
    for (const rowCount of rowCounts) {
      scratch.reset();
      const values = Array.from({ length: rowCount }, () =>
        random.chance(0.1) ? NaN : Math.fround(random.below(2 ** 31) / 7),
      );
      const odd = random.below(rowCount * 2 + 1);
      if (odd < rowCount) values[odd] = 1 / 3;
      const address = scratch.place(Float64Array.from(values));
      const to = scratch.output(rowCount * 4);
      const done = scratch.run(() => sealers.sealFloat4(address, rowCount, to));
      assert.is(done, Math.min(odd, rowCount));
      const found = new Float32Array(scratch.memory.buffer, to, done);
      assert.equal([...found], values.slice(0, done));
    }
  });

  test("sealing splits datetimes into days above a bias and times of day counted in steps", () => {
    for (const rowCount of rowCounts) {
      scratch.reset();
      const step = random.pick([1, 1000, 60_000]);
      const values = Array.from({ length: rowCount }, () =>
        random.chance(0.1) ? NaN : Math.floor((random.below(2 ** 31) - 2 ** 30) * 977) * step,
      );
      const days = values.map((value) => Math.floor(value / dayMs));
      const bias = Math.min(0, ...days.filter((day) => day === day)) - 1;
      const times = values.map((value) =>
        value === value ? ((value % dayMs) + dayMs) % dayMs : 0,
      );
      const address = scratch.place(Float64Array.from(values));
      const [daysAt, timesAt] = [scratch.output(rowCount * 4), scratch.output(rowCount * 4)];
      scratch.run(() => sealers.splitDayTime(address, rowCount, bias, daysAt, timesAt));
      const expected = days.map((day) => (day === day ? day - bias : 0));
      assert.equal(scratch.words(daysAt, rowCount), expected);
      assert.equal(scratch.words(timesAt, rowCount), times);
      const other = random.pick([1, 7, 1000, 60_000]);
      assert.is(
        scratch.run(() => sealers.shareStepWords(timesAt, rowCount, other)),
        Number(times.every((time) => time % other === 0)),
      );
      const largest = scratch.run(() => sealers.divideWords(timesAt, rowCount, step));
      assert.is(largest, Math.max(0, ...times.map((time) => time / step)));
      assert.equal(
        scratch.words(timesAt, rowCount),
        times.map((time) => time / step),
      );
    }
  });

  test("a number is a common step of values if it divides their distances to the minimum", () => {
    let shared = 0;
    for (const rowCount of [...rowCounts, ...rowCounts]) {
      scratch.reset();
      const [decimals, step] = [random.below(3), random.pick([1000, 60_000, dayMs])];
      const low = random.below(2 ** 31) - 2 ** 30;
      const scaled = Array.from({ length: rowCount }, () => low + random.below(2 ** 20) * step);
      if (rowCount > 0 && random.chance(0.5))
        scaled[random.below(rowCount)] += random.pick([1, step / 2, step - 1]);
      const values = scaled.map((value) => (random.chance(0.1) ? NaN : value / powers[decimals]));
      const address = scratch.place(Float64Array.from(values));
      const expected = values.every(
        (value, row) => value !== value || (scaled[row] - low) % step === 0,
      );
      if (expected) shared++;
      const found = scratch.run(() =>
        sealers.shareStep(address, rowCount, powers[decimals], low, step),
      );
      assert.is(found, Number(expected));
    }
    assert.ok(shared > 5 && shared < rowCounts.length * 2 - 5, String(shared));
  });

  test("the exact sum of scaled values is returned in two halves", () => {
    for (const rowCount of rowCounts) {
      scratch.reset();
      const decimals = random.below(7);
      const largest = random.pick([2 ** 10, 2 ** 31, 2 ** 51]);
      const values = Array.from({ length: rowCount }, () =>
        random.chance(0.1)
          ? NaN
          : Math.floor((random.below(2 ** 31) / 2 ** 30 - 1) * largest) / powers[decimals],
      );
      const address = scratch.place(Float64Array.from(values));
      const out = scratch.output(16);
      scratch.run(() => sealers.sumScaled(address, rowCount, powers[decimals], out));
      const [high, low] = scratch.doubles(out, 2).map(BigInt);
      const sum = values
        .filter((value) => value === value)
        .reduce((total, value) => total + BigInt(Math.round(value * powers[decimals])), 0n);
      assert.is(high * 2n ** 26n + low, sum);
    }
  });
});
