import type { Segment } from "./segment.ts";

/** Bytes of a segment's stored values and times, which lie one behind the other, each padded to 64. */
export function storedBytes({ values, times, rowCount }: Segment): number {
  return padded(rowCount * (values?.width ?? 0)) + padded(rowCount * (times?.width ?? 0));
}

const padded = (sizeBytes: number) => Math.ceil(sizeBytes / 64) * 64;
