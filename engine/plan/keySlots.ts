/** Returns the 32-bit words of the doubles in an array that starts at its buffer's first byte. */
export function wordsOf({ buffer }: Float64Array): Uint32Array {
  return new Uint32Array(buffer);
}

/**
 * Returns the first slot of a key in a hash table whose `size` is a power of two. `words` contains the columns of the
 * keys, two words per key, and `row` is the row of the key.
 */
export function slotOf(words: readonly Uint32Array[], row: number, size: number): number {
  let hash = 0;
  for (let column = 0; column < words.length; column++) {
    const of = words[column];
    hash = Math.imul(hash ^ of[row * 2], 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 15) ^ of[row * 2 + 1], 0x85ebca6b);
    hash ^= hash >>> 13;
  }
  return (hash ^ (hash >>> 16)) & (size - 1);
}
