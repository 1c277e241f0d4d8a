import { vectorSize } from "../../kernels/kernels.ts";
import type { BoundGrouping, BoundQuantile } from "../../plan/boundPlan.ts";
import type { Arena } from "../task/arena.ts";
import type { Numbering } from "../keys/numbering.ts";
import type { StateLayout, StatePlace } from "../../plan/stateLayout.ts";
import { compileStoredWhole, hasStoredGroups, storedGroups, storedNumbers } from "./storedWhole.ts";
import type { Compilation } from "../rows/compilation.ts";
import { compileVector } from "../rows/vectors.ts";

/** The first scan for percentiles, which counts rows by bucket. */
interface Histogram {
  fold(): void;
  /** Returns whether one call of `fold` accepts a whole row group. `fold` then reads only stored values. */
  canFoldRowGroup(): boolean;
}

/** Compiles the first scan of percentiles, which counts the active rows by group and bucket. */
export function compileHistogram(
  quantile: BoundQuantile,
  { offset }: StatePlace,
  numbering: Numbering,
  compilation: Compilation,
): Histogram {
  const { source, workspace } = compilation;
  const { of, decimals, low, factor, bucketCount, shift } = quantile;
  if (shift >= 0) {
    const whole = compileStoredWhole(quantile, compilation);
    return {
      canFoldRowGroup: () =>
        storedNumbers(quantile, source) !== undefined && hasStoredGroups(numbering),
      fold: () => {
        const values = whole();
        const groups = storedGroups(numbering, values);
        const counts = source.base + offset + numbering.constant * bucketCount * 4;
        source.kernels.countStored[groups.width][values.width](
          groups.address,
          values.address,
          source.rowCount,
          values.offset,
          shift,
          counts,
          groups.stride * bucketCount,
        );
      },
    };
  }
  const vector = compileVector(of, decimals, compilation);
  const place = workspace.reserve(vectorSize * 4);
  return {
    canFoldRowGroup: () => false,
    fold: () => {
      const { kernels, base, rowCount } = source;
      kernels.bucket(vector.read(), rowCount, low, factor, bucketCount, base + place);
      const counts = base + offset + numbering.constant * bucketCount * 4;
      kernels.foldHistogram(numbering.read(), base + place, rowCount, counts, bucketCount);
    },
  };
}

/**
 * Maximum number of histogram counters. Up to this number, adding up the counters is faster than counting the rows of a
 * few vectors.
 */
const fewCounters = 2 ** 16;

/**
 * Derives the row count of each group from the group's histogram, so that rows do not have to be counted separately.
 * This is possible because a histogram also counts nulls. Returns a function that writes the counts to the state of a
 * slot; undefined if there is no histogram, or if all histograms are too large.
 */
export function countRowsBy(
  { quantiles, capacity, paired }: BoundGrouping,
  { histograms }: StateLayout,
): ((arena: Arena, base: number, state: number) => void) | undefined {
  const index = quantiles.findIndex(
    ({ bucketCount }, place) =>
      !paired?.quantiles.includes(place) && bucketCount * capacity <= fewCounters,
  );
  if (index < 0) return undefined;
  const { bucketCount } = quantiles[index];
  return ({ f64, u32 }, base, state) => {
    let counter = (base + histograms[index].offset) / 4;
    for (let group = 0; group < capacity; group++) {
      let count = 0;
      for (const end = counter + bucketCount; counter < end; counter++) count += u32[counter];
      f64[(base + state) / 8 + group * 2] = count;
    }
  };
}
