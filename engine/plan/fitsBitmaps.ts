import type { BoundDistinct } from "./boundPlan.ts";

/** Maximum bytes of the bitmaps that count distinct values. */
const largestBitmapBytes = 2 ** 26;
/** Bitmaps of whole numbers with a larger range must not have more bytes per row than the values themselves. */
const denseRange = 2 ** 22;
const bytesPerRow = 16;

/** Returns whether distinct values are counted in bitmaps, one per group with one bit for each possible value. */
export function fitsBitmaps(distinct: BoundDistinct, capacity: number, rowCount: number): boolean {
  if (!("cardinality" in distinct)) return false;
  const { kind, cardinality } = distinct;
  const sizeBytes = capacity * Math.ceil((cardinality + 1) / 128) * 16;
  if (sizeBytes > largestBitmapBytes) return false;
  return kind === "code" || cardinality <= denseRange || sizeBytes <= rowCount * bytesPerRow;
}
