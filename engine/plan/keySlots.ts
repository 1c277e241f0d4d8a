const scratch = new Float64Array(1);
const words = new Uint32Array(scratch.buffer);

/**
 * Returns the first slot of a key in a hash table whose `size` is a power of two. `values` contains the columns of the
 * keys, and `row` is the row of the key.
 */
export function slotOf(values: readonly Float64Array[], row: number, size: number): number {
  let hash = 0;
  for (let column = 0; column < values.length; column++) {
    scratch[0] = values[column][row];
    hash = Math.imul(hash ^ words[0], 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 15) ^ words[1], 0x85ebca6b);
    hash ^= hash >>> 13;
  }
  return (hash ^ (hash >>> 16)) & (size - 1);
}
