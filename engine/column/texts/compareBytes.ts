/** Texts in UTF-8, one after another. `ends[code]` is the end of the text with that code. */
export interface TextBytesView {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
}

/** Compares two texts by their bytes after the first `offset`, which are equal: negative, 0 or positive. */
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

/** Returns where the text of a code begins. */
export function startOf(ends: Uint32Array, code: number): number {
  return code === 0 ? 0 : ends[code - 1];
}
