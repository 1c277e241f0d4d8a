import { timesOf, type Segment } from "./segment.ts";

/** Returns the total size in bytes of a segment's stored values and times, each padded to a multiple of 64. */
export function storedBytes(segment: Segment): number {
  const { values, rowCount } = segment;
  return (
    padded(rowCount * (values?.width ?? 0)) + padded(rowCount * (timesOf(segment)?.width ?? 0))
  );
}

const padded = (sizeBytes: number) => Math.ceil(sizeBytes / 64) * 64;
