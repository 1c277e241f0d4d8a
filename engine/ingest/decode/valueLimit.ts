/**
 * Returns the maximum number of values (rows times columns) that a batch may have if it is read from `sizeBytes` bytes.
 * Nulls and repeated values take almost no bytes, so without a limit a small file could fill the memory.
 */
export function valueLimit(sizeBytes: number): number {
  return Math.max(2 ** 26, sizeBytes * 2);
}
