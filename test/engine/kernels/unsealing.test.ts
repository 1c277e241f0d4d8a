import * as assert from "uvu/assert";
import { openSealers } from "../../../engine/kernels/openKernels.ts";
import { suite } from "../../support/suite.ts";
import { openScratch, rowCounts, widths } from "./scratch.ts";

const dayMs = 86_400_000;
const scratch = openScratch();
const { random } = scratch;
const sealers = openSealers(scratch.memory);

/** Returns the bits of doubles, so that different NaNs can be distinguished. */
const bitsOf = (values: readonly number[]) => [
  ...new BigUint64Array(Float64Array.from(values).buffer),
];

suite("engine/kernels/unsealing", (test) => {
  for (const width of widths)
    test(`stored ${width}-byte numbers are decoded to values, and 0 to NaN`, () => {
      for (const rowCount of rowCounts) {
        scratch.reset();
        const scale = random.pick([1, 60_000, dayMs]);
        const power = random.pick([1, 10, 1_000_000]);
        const bias = random.below(2 ** 31) - 2 ** 30;
        const stored = Array.from({ length: rowCount }, () =>
          random.pick([0, 1, 256 ** width - 1, random.below(256 ** width)]),
        );
        const address = scratch.stored(stored, width);
        const to = scratch.output(Math.ceil(rowCount / 4) * 32);
        scratch.run(() => sealers.unsealWhole[width](address, rowCount, bias, scale, power, to));
        const plain = stored.map((word) => (word === 0 ? NaN : (bias + word * scale) / power));
        assert.equal(scratch.longs(to, rowCount), bitsOf(plain));
      }
    });

  test("stored days and times are decoded to datetimes, and day 0 to null", () => {
    for (const rowCount of rowCounts) {
      scratch.reset();
      const bias = random.below(200_000_000) - 100_000_000;
      const timeScale = random.pick([1, 1000, 3_600_000]);
      const days = Uint32Array.from({ length: rowCount }, () =>
        random.pick([0, random.below(2 ** 24)]),
      );
      const times = Uint32Array.from({ length: rowCount }, () => random.below(dayMs / timeScale));
      const to = scratch.output(rowCount * 8);
      const places = [scratch.place(days), scratch.place(times)] as const;
      scratch.run(() => sealers.joinDayTimes(...places, rowCount, bias, timeScale, to));
      const plain = Array.from(days, (day, row) =>
        day === 0 ? NaN : (bias + day) * dayMs + times[row] * timeScale,
      );
      assert.equal(scratch.longs(to, rowCount), bitsOf(plain));
    }
  });

  test("a batch's codes are converted to stored codes, or through a table to codes of the dictionary", () => {
    for (const rowCount of rowCounts) {
      scratch.reset();
      const textCount = 1 + random.below(1000);
      const codes = Int32Array.from({ length: rowCount }, () => random.below(textCount + 1) - 1);
      const known = Int32Array.from({ length: textCount }, () => random.below(2 ** 31 - 2));
      const words = scratch.output(rowCount * 4, codes);
      scratch.run(() => sealers.nextWords(words, rowCount));
      assert.equal(
        scratch.words(words, rowCount),
        Array.from(codes, (code) => code + 1),
      );
      const table = scratch.place(known);
      scratch.run(() => sealers.translateWords(words, rowCount, table));
      const plain = Array.from(codes, (code) => (code < 0 ? 0 : known[code] + 1));
      assert.equal(scratch.words(words, rowCount), plain);
    }
  });
});
