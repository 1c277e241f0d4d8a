import assert from "node:assert/strict";
import { suite } from "../../support/suite.ts";
import { openScratch, rowCounts, widths } from "./scratch.ts";

const layerBytes = 64;
const noBucket = 255;

suite("engine/kernels/countingWanted", (test) => {
  const scratch = openScratch();
  const { kernels, random } = scratch;

  for (const width of widths)
    test(`countWanted${width} counts exactly the values in each group's wanted buckets`, () => {
      for (const rowCount of [...rowCounts, ...rowCounts, 65_536]) {
        scratch.reset();
        const groupCount = random.pick([1, 2, 17, 50, 64]);
        const shift = random.pick([0, 1, 3, 5]);
        const bucketCount = 2 + random.below(254);
        const bound = Math.min(2 ** (8 * width), (bucketCount - 1) * 2 ** shift);
        // As in a plan, the least stored number other than 0 falls into bucket 1. Stored values can be the greatest
        // number of their width.
        const least = random.pick([1, 1 + random.below(2 ** (8 * width) - bound + 1)]);
        const offset = 2 ** shift - least;
        const stored = Array.from({ length: rowCount }, () =>
          random.chance(0.1) ? 0 : Math.min(2 ** (8 * width) - 1, least + random.below(bound)),
        );
        const varies = random.pick([255, 255, 0]);
        const numbers = stored.map(() => random.below(groupCount));
        const stride = random.pick([bucketCount, 2 * bucketCount]);
        const wanted = new Uint32Array(groupCount * stride);
        const layerCount = random.pick([1, 1, 3]);
        const layers = new Uint8Array(layerCount * layerBytes).fill(noBucket);
        let wantedCount = 0;
        for (let group = 0; group < groupCount; group++)
          for (let layer = 0; layer < layerCount; layer++) {
            const bucket = 1 + random.below(bucketCount - 1);
            if (wanted[group * stride + bucket] > 0 || random.chance(0.2)) continue;
            wanted[group * stride + bucket] = ++wantedCount;
            layers[layer * layerBytes + group] = bucket;
          }
        const twin = Uint32Array.from({ length: wantedCount * 2 ** shift }, () => random.below(9));
        const numbersAt = scratch.stored(numbers, 1);
        const valuesAt = scratch.stored(stored, width);
        const wantedAt = scratch.place(wanted);
        const layersAt = scratch.place(layers);
        const counts = scratch.output(twin.byteLength, twin);
        scratch.run(() =>
          kernels.countWanted[width](
            numbersAt,
            varies,
            valuesAt,
            rowCount,
            offset,
            shift,
            wantedAt,
            stride,
            layersAt,
            layerCount,
            counts,
          ),
        );
        stored.forEach((value, row) => {
          if (value === 0) return;
          const group = varies === 0 ? 0 : numbers[row];
          const bucket = Math.floor((value + offset) / 2 ** shift);
          const slot = wanted[group * stride + bucket];
          if (slot > 0) twin[(slot - 1) * 2 ** shift + ((value + offset) % 2 ** shift)]++;
        });
        assert.deepEqual(scratch.words(counts, twin.length), [...twin]);
      }
    });
});
