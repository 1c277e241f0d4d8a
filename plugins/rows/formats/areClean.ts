import { isAscii, isUtf8 } from "node:buffer";

/**
 * Returns whether strings are valid UTF-8 without a byte order mark, which decoders would replace or drop. String
 * `index` begins `gapBytes` after `limits[index]` and ends at `limits[index + 1]`.
 */
export function areClean(view: DataView, limits: Int32Array, gapBytes: number): boolean {
  const first = limits[0] ?? 0;
  const last = limits.at(-1) ?? 0;
  // If the gaps between ASCII strings contain their lengths, the gaps are ASCII too, unless a string is long.
  if (isAscii(new Uint8Array(view.buffer, view.byteOffset + first, last - first))) return true;
  for (let index = 0; index + 1 < limits.length; index++) {
    const from = limits[index]! + gapBytes;
    const text = new Uint8Array(view.buffer, view.byteOffset + from, limits[index + 1]! - from);
    if (!isUtf8(text) || (text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf)) return false;
  }
  return true;
}
