import * as assert from "uvu/assert";
import { decodeCodes, decodeNumbers } from "../../../../engine/column/segment/decodeSegment.ts";
import { sealCodes, sealNumbers } from "../../../../engine/column/seal/sealSegment.ts";
import {
  readSegment,
  segmentRecordDoubles,
  writeSegment,
  type Segment,
  timesOf,
} from "../../../../engine/column/segment/segment.ts";
import { addCodes, addNumbers, emptyZoneMap } from "../../../../engine/column/seal/zoneMap.ts";
import { Memory } from "../../../../engine/memory/memory.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const dayMs = 86_400_000;
const memory = new Memory({ budgetBytes: 2 ** 30 });

const seal = (
  values: readonly number[],
  type: "number" | "datetime" = "number",
  decimals?: number,
) =>
  sealNumbers(
    Float64Array.from(values),
    addNumbers(emptyZoneMap, Float64Array.from(values)),
    type,
    { memory, near: undefined, ...(decimals !== undefined && { decimals }) },
  );
const decoded = (segment: Segment) => [...decodeNumbers(memory, segment)];
const formOf = (segment: Segment) => [
  segment.form,
  segment.values?.width,
  segment.form === "whole" ? segment.scale : 1,
  segment.decimals,
];
/** Describes a segment: its form, the widths of its days and times, and the step of its times. */
const dayTimeOf = (segment: Segment) => {
  const timeScale = segment.form === "dayTime" ? segment.timeScale : undefined;
  return [segment.form, segment.values?.width, timesOf(segment)?.width, timeScale];
};

/** Returns the sum of value * 10^decimals, computed with big integers. */
function plainSum(values: readonly number[], decimals: number): number {
  let sum = 0n;
  for (const value of values)
    if (value === value) sum += BigInt(Math.round(value * 10 ** decimals));
  return sum > -(2n ** 53n) && sum < 2n ** 53n ? Number(sum) : NaN;
}

const kinds: readonly ((random: Random) => number)[] = [
  (random) => random.below(200),
  (random) => random.below(60_000) - 30_000,
  (random) => random.below(2 ** 24 - 2),
  (random) => random.below(2 ** 31) * 2 - 5,
  (random) => random.below(100) * dayMs,
  (random) => random.below(2 ** 31) * 2 ** 22,
  (random) => (random.below(2) ? 1 : -1) * (2 ** 53 - 1 - random.below(3)),
  (random) => random.below(10_000) / 100,
  (random) => random.below(2 ** 31) / 1_000_000,
  (random) => (random.below(2 ** 31) * 2 ** 20) / 1000,
  (random) => random.below(100) / 10 - 5,
  (random) => random.below(1000) / 7,
  (random) => Math.fround(random.below(1000) / 7),
  (random) => random.pick([0, -0, 1]),
  (random) => random.pick([1e300, -1e-300, 5e-324, 1.7976931348623157e308]),
];

suite("engine/column/seal/sealSegment", (test) => {
  test("sealed numbers decode to the same bits, and their zone maps and sums are exact", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 600; round++) {
        const chosen = random.chance(0.7) ? [random.pick(kinds)] : random.some(kinds, 0.2);
        const rowCount = 1 + random.below(200);
        const nullShare = random.pick([0, 0.1, 0.9]);
        const values = Array.from({ length: rowCount }, () =>
          random.chance(nullShare) || chosen.length === 0 ? NaN : random.pick(chosen)(random),
        );
        const segment = seal(values, "number", random.pick([undefined, 0, 2, 6]));
        assert.ok(
          decoded(segment).every((value, row) => Object.is(value, values[row])),
          `round ${round}: ${JSON.stringify(segment)}`,
        );
        const present = values.filter((value) => value === value);
        assert.is(segment.nullCount, rowCount - present.length);
        assert.is(segment.rowCount, rowCount);
        if (present.length === 0) assert.is(segment.form, "null");
        else {
          assert.is(segment.minimum + 0, Math.min(...present) + 0);
          assert.is(segment.maximum + 0, Math.max(...present) + 0);
        }
        if (segment.decimals < 0) assert.ok(Number.isNaN(segment.sum));
        else {
          for (const value of present) {
            const scaled = Math.round(value * 10 ** segment.decimals);
            assert.is(scaled / 10 ** segment.decimals, value);
            assert.ok(Math.abs(scaled) < 2 ** 53);
          }
          assert.ok(Object.is(segment.sum + 0, plainSum(values, segment.decimals)));
        }
      }
    });
  });

  test("sealed datetimes decode exactly, whatever their range and step", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 300; round++) {
        const step = random.pick([1, 1000, 60_000, 3_600_000, dayMs]);
        const range = random.pick([10, 2 ** 20, 2 ** 33, 2 ** 41, 2 ** 52]);
        const origin = random.pick([0, -5e12, 1.7e12]);
        const values = Array.from({ length: 1 + random.below(100) }, () => {
          if (random.chance(0.2)) return NaN;
          const ms = origin + Math.floor((random.below(2 ** 31) / 2 ** 31) * range);
          return Math.max(-8.64e15, Math.min(8.64e15, Math.floor(ms / step) * step)) + 0;
        });
        const segment = seal(values, "datetime");
        assert.ok(
          decoded(segment).every((value, row) => Object.is(value, values[row])),
          `round ${round}: ${JSON.stringify(segment)}`,
        );
        assert.ok(segment.form !== "float");
      }
    });
  });

  test("numbers are stored in the narrowest form that represents them exactly", () => {
    assert.equal(formOf(seal([0, 254])), ["whole", 1, 1, 0]);
    assert.equal(formOf(seal([0, 255])), ["whole", 2, 1, 0]);
    assert.equal(formOf(seal([0, 65_534])), ["whole", 2, 1, 0]);
    assert.equal(formOf(seal([0, 65_535])), ["whole", 3, 1, 0]);
    assert.equal(formOf(seal([-1, 2 ** 24 - 3])), ["whole", 3, 1, 0]);
    assert.equal(formOf(seal([-1, 2 ** 24 - 2])), ["whole", 4, 1, 0]);
    assert.equal(formOf(seal([1, 2 ** 32 - 1])), ["whole", 4, 1, 0]);
    assert.equal(formOf(seal([1, 2 ** 32 + 1])), ["float", 8, 1, 0]);
    assert.equal(formOf(seal([0, 1000, 254_000])), ["whole", 1, 1000, 0]);
    assert.equal(formOf(seal([0, 100])), ["whole", 1, 1, 0]);
    assert.equal(formOf(seal([1.5, 2.25])), ["whole", 1, 1, 2]);
    assert.equal(formOf(seal([0.1, 0.923_456])), ["whole", 3, 1, 6]);
    assert.equal(formOf(seal([1.5, 2 ** 40])), ["float", 4, 1, 1]);
    assert.equal(formOf(seal([0.5 ** 20, 1])), ["float", 4, 1, -1]);
    assert.equal(formOf(seal([1 / 3, 1])), ["float", 8, 1, -1]);
    assert.equal(formOf(seal([-0, 1])), ["float", 4, 1, 0]);
    assert.equal(formOf(seal([2 ** 53, 1])), ["float", 4, 1, -1]);
    assert.equal(formOf(seal([2 ** 51 / 100 + 0.01])), ["float", 8, 1, -1]);
    assert.equal(formOf(seal([NaN, NaN])), ["null", undefined, 1, 0]);
  });

  test("datetimes are stored as multiples of their largest common step, or else as days and times", () => {
    assert.equal(formOf(seal([0, dayMs], "datetime")), ["whole", 1, dayMs, 0]);
    assert.equal(formOf(seal([0, 60_000], "datetime")), ["whole", 1, 60_000, 0]);
    assert.equal(formOf(seal([5, 6], "datetime")), ["whole", 1, 1, 0]);
    assert.equal(formOf(seal([-8.64e15, 8.64e15], "datetime")), ["whole", 4, dayMs, 0]);
    const wide = seal([0, 11_574 * dayMs + 80_000_001, NaN], "datetime");
    assert.equal(dayTimeOf(wide).slice(0, 3), ["dayTime", 2, 4]);
    const seconds = seal([-1000, 2 ** 43 * 1000], "datetime");
    assert.equal(dayTimeOf(seconds), ["dayTime", 4, 3, 1000]);
  });

  test("a segment uses its column's number of decimals unless its values would become wider", () => {
    assert.equal(formOf(seal([1, 2.5], "number", 2)), ["whole", 1, 1, 2]);
    assert.equal(formOf(seal([1, 2], "number", 2)), ["whole", 1, 1, 2]);
    assert.equal(formOf(seal([1, 200], "number", 2)), ["whole", 1, 1, 0]);
  });

  test("codes are stored in the width that the greatest code needs, and decode to the same codes", () => {
    for (const [largest, width] of [
      [255, 1],
      [256, 2],
      [65_535, 2],
      [65_536, 3],
      [2 ** 24 - 1, 3],
      [2 ** 24, 4],
      [2 ** 31 - 1, 4],
    ]) {
      const codes = Int32Array.of(0, 1, largest, 2, 0);
      const segment = sealCodes(codes, addCodes(emptyZoneMap, codes), {
        memory,
        near: undefined,
      });
      assert.equal(decodeCodes(memory, segment), codes);
      assert.equal(
        [segment.values?.width, segment.nullCount, segment.minimum, segment.maximum],
        [width, 2, 1, largest],
      );
    }
    const none = sealCodes(new Int32Array(3), addCodes(emptyZoneMap, new Int32Array(3)), {
      memory,
      near: undefined,
    });
    assert.equal([...decodeCodes(memory, none)], [0, 0, 0]);
    assert.is(none.form, "null");
  });

  test("a segment can be restored from the doubles that describe it", () => {
    const record = new Float64Array(segmentRecordDoubles);
    for (const segment of [
      seal([1, 2.5, NaN]),
      seal([0, 1e12 + 1], "datetime"),
      seal([NaN]),
      seal([1 / 3]),
    ]) {
      writeSegment(record, segment);
      assert.equal(readSegment(record), segment);
    }
  });
});
