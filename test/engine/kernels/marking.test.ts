import assert from "node:assert/strict";
import { suite } from "../../support/suite.ts";
import { markScratchBytes } from "../../../engine/kernels/kernels.ts";
import { openScratch, rowCounts, widths } from "./scratch.ts";

suite("engine/kernels/marking", (test) => {
  const scratch = openScratch();
  const { kernels, random } = scratch;

  for (const numberWidth of [1, 2, 4] as const)
    for (const width of widths)
      test(`markStored${numberWidth}x${width} sets each code's bit in the bitmap of its row's group`, () => {
        for (const rowCount of rowCounts) {
          scratch.reset();
          const groupCount = random.pick([1, 9]);
          const groupBytes = 48;
          const stride = random.pick([1, 2]);
          const largest = 2 ** (8 * width) - 1;
          const low = random.pick([1, 100, largest - 250]);
          const offset = random.below(130) - low + 1;
          const stored = Array.from({ length: rowCount }, () =>
            random.chance(0.2)
              ? 0
              : Math.min(largest, low + random.pick([0, 31, 32, random.below(251)])),
          );
          const numbers = stored.map(() => random.below(groupCount));
          const numbersAt = scratch.stored(numbers, numberWidth);
          const valuesAt = scratch.stored(stored, width);
          const twin = Uint32Array.from({ length: (groupCount * stride * groupBytes) / 4 }, () =>
            random.chance(0.5) ? random.below(2 ** 32) : 0,
          );
          const bits = scratch.output(twin.byteLength, twin);
          const places = scratch.output(markScratchBytes);
          scratch.run(() =>
            kernels.markStored[numberWidth][width](
              numbersAt,
              valuesAt,
              rowCount,
              offset,
              bits,
              groupBytes * stride,
              places,
            ),
          );
          numbers.forEach((group, row) => {
            const code = stored[row] === 0 ? 0 : stored[row] + offset;
            twin[(group * stride * groupBytes) / 4 + Math.floor(code / 32)] |= 1 << (code % 32);
          });
          assert.deepEqual(scratch.words(bits, twin.length), [...twin]);
        }
      });
});
