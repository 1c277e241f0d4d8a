import type { BoundQuantile } from "../../plan/boundPlan.ts";
import type { Numbering } from "../keys/numbering.ts";
import type { CollectRequest } from "./percentiles.ts";
import { storedNumbers } from "../folds/storedWhole.ts";
import type { Compilation } from "../rows/compilation.ts";

/**
 * Limits of `countWanted`: group numbers, buckets, and wanted buckets per group. The last constant is the byte that
 * stands for no bucket.
 */
const mostNumbers = 64;
const mostBuckets = 255;
const mostLayers = 4;
const noBucket = 255;

/** Counts the wanted values of whole numbers directly from the stored values and group numbers. */
interface WantedCounts {
  /** Returns whether `fold` can count the row group, given that all its rows are active. */
  canCount(): boolean;
  /** Counts the rows of the vector. The vector may have any length. Call it if `canCount` returned true. */
  fold(): void;
}

/**
 * Compiles the counting of wanted values; `table` and `output` are the offsets of the request's table and counters.
 */
export function compileWantedCounts(
  quantile: BoundQuantile,
  request: CollectRequest,
  { table, output }: { readonly table: number; readonly output: number },
  numbering: Numbering,
  { source, workspace }: Compilation,
): WantedCounts {
  const { low, shift, bucketCount } = quantile;
  const isNarrow = request.kind === "counts" && bucketCount <= mostBuckets;
  const place = workspace.reserve(mostNumbers * mostLayers);
  const bucketsByGroup: (readonly number[] | undefined)[] = [];
  let stamp = -1;
  let layerCount = 0;

  /** Returns the wanted buckets of a group. */
  const bucketsOf = (group: number): readonly number[] => {
    const known = bucketsByGroup[group];
    if (known) return known;
    const buckets: number[] = [];
    const from = group * bucketCount;
    for (let bucket = 1; bucket < bucketCount; bucket++)
      if (request.table[from + bucket] > 0) buckets.push(bucket);
    bucketsByGroup[group] = buckets;
    return buckets;
  };

  /**
   * Describes group numbers that are stored in one byte each; undefined if they are not. In a row group with a single
   * group, all numbers count as 0.
   */
  const storedBytes = () => {
    if (numbering.isConstant) return { stride: 0, maximum: 0 };
    const codes = numbering.storedCodes();
    return codes?.width === 1 && codes.maximum < mostNumbers ? codes : undefined;
  };

  /** Writes the layers for the group numbers of the row group, and returns how many layers it has written. */
  const openLayers = (stride: number, maximum: number): number => {
    if (stamp === source.rowGroupStamp) return layerCount;
    stamp = source.rowGroupStamp;
    const { u8 } = source.arena;
    const at = source.base + place;
    u8.fill(noBucket, at, at + mostNumbers * mostLayers);
    layerCount = 0;
    for (let number = 0; number <= maximum; number++) {
      const buckets = bucketsOf(numbering.constant + number * stride);
      layerCount = Math.max(layerCount, buckets.length);
      for (let layer = 0; layer < Math.min(buckets.length, mostLayers); layer++)
        u8[at + layer * mostNumbers + number] = buckets[layer];
    }
    return layerCount;
  };

  return {
    canCount: () => {
      if (!isNarrow || !storedNumbers(quantile, source)) return false;
      const codes = storedBytes();
      return !!codes && openLayers(codes.stride, codes.maximum) <= mostLayers;
    },
    fold: () => {
      const { kernels, base, rowCount } = source;
      const whole = storedNumbers(quantile, source);
      const codes = storedBytes();
      const numbers = numbering.stored();
      if (!whole || !codes || (!numbers && !numbering.isConstant))
        throw new RangeError("the row group cannot be counted as it is stored");
      const { stored, bias } = whole;
      const from = stored.address;
      kernels.countWanted[stored.width](
        // If no bit of the numbers is significant, any bytes can be read.
        numbers?.address ?? from,
        numbers ? 255 : 0,
        from,
        rowCount,
        bias - low + 2 ** shift,
        shift,
        base + table + numbering.constant * bucketCount * 4,
        codes.stride * bucketCount,
        base + place,
        openLayers(codes.stride, codes.maximum),
        base + output,
      );
    },
  };
}
