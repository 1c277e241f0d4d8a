/**
 * Values (rows by columns) that a batch from bytes of a size may come to. Nulls and repeated values take next to no
 * bytes, so without a limit a small file could fill the memory.
 */
export function valueLimit(sizeBytes: number): number {
  return Math.max(2 ** 26, sizeBytes * 2);
}
