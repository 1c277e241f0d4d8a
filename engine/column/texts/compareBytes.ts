/** Strings in UTF-8, one after another. `ends[code]` is the end offset of the string with that code. */
export interface TextBytesView {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
}

/**
 * Compares two strings by their bytes, given that the first `offset` bytes are equal. Returns a negative number, 0 or a
 * positive number.
 */
export function compareBytes(
  { bytes, ends }: TextBytesView,
  left: number,
  right: number,
  offset = 0,
): number {
  const leftEnd = ends[left];
  const rightEnd = ends[right];
  let at = startOf(ends, left) + offset;
  let other = startOf(ends, right) + offset;
  while (at < leftEnd && other < rightEnd) {
    const difference = bytes[at++] - bytes[other++];
    if (difference !== 0) return difference;
  }
  return leftEnd - at - (rightEnd - other);
}

/** Returns the start offset of the string with a code. */
export function startOf(ends: Uint32Array, code: number): number {
  return code === 0 ? 0 : ends[code - 1];
}
