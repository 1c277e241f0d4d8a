/**
 * Number of bytes after every string that must be readable, so that words of 4 bytes can be read without bounds checks.
 */
export const paddingBytes = 8;

/**
 * Hashes `length` bytes, starting at `from`, four at a time. The `paddingBytes` after them must be readable. The
 * multiplier is Knuth's golden ratio; the final mixing is from MurmurHash3.
 */
export function hashBytes(view: DataView, from: number, length: number): number {
  let hash = length;
  const tail = length & 3;
  const end = from + length - tail;
  let at = from;
  for (; at < end; at += 4) hash = mixWord(hash, view.getInt32(at, true));
  if (tail > 0) hash = mixWord(hash, view.getInt32(at, true) & ((1 << (tail * 8)) - 1));
  return finishHash(hash);
}

/** Hashes packed strings for `PackedTexts.hashes`. */
export function hashTexts(bytes: Uint8Array, ends: Int32Array): Int32Array<ArrayBuffer> {
  const source = padded(bytes);
  const hashes = new Int32Array(ends.length);
  let start = 0;
  for (let code = 0; code < ends.length; code++) {
    hashes[code] = hashBytes(source, start, ends[code] - start);
    start = ends[code];
  }
  return hashes;
}

/**
 * Returns a view of the bytes after which `paddingBytes` are readable. Copies the bytes if their buffer ends too early.
 */
export function padded(bytes: Uint8Array): DataView {
  const { buffer, byteOffset, length } = bytes;
  if (byteOffset + length + paddingBytes <= buffer.byteLength)
    return new DataView(buffer, byteOffset, length + paddingBytes);
  const copy = new Uint8Array(bytes.length + paddingBytes);
  copy.set(bytes);
  return new DataView(copy.buffer);
}

function mixWord(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

function finishHash(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}
