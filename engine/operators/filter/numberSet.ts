/** Views of the same memory. */
interface Memory {
  readonly f64: Float64Array;
  readonly u32: Uint32Array;
  readonly u8: Uint8Array;
}

/** A set of numbers that tests many doubles at a time. */
export interface NumberSet {
  /**
   * Writes 1 for each double in the set, and 0 for all others. NaN equals NaN, and -0 equals 0. `from` and `to` are
   * addresses.
   */
  test(memory: Memory, from: number, rowCount: number, to: number): void;
}

/**
 * Creates a set. It takes about a third of the time of `Set.has` per double, because it hashes the bits of a double in
 * place. Open addressing with at least three free places per number.
 */
export function numberSet(values: ReadonlySet<number>): NumberSet {
  const bits = 32 - Math.clz32(Math.max(1, values.size)) + 2;
  const shift = 32 - bits;
  const last = 2 ** bits - 1;
  // NaN marks a free place, because no double equals it.
  const table = new Float64Array(last + 1).fill(Number.NaN);
  const hasNull = values.has(Number.NaN) ? 1 : 0;
  const hasZero = values.has(0) ? 1 : 0;
  const one = new Float64Array(1);
  const words = new Uint32Array(one.buffer);
  for (const value of values) {
    if (value !== value || value === 0) continue;
    one[0] = value;
    let place = hash(words[0], words[1]) >>> shift;
    while (table[place] === table[place]) place = (place + 1) & last;
    table[place] = value;
  }
  return {
    test({ f64, u32, u8 }, from, rowCount, to) {
      const first = from / 8;
      for (let row = 0; row < rowCount; row++) {
        const at = first + row;
        const value = f64[at];
        let passes = 0;
        if (value !== value) passes = hasNull;
        else if (value === 0) passes = hasZero;
        else {
          let place = hash(u32[2 * at], u32[2 * at + 1]) >>> shift;
          for (let found = table[place]; found === found; found = table[place]) {
            if (found === value) {
              passes = 1;
              break;
            }
            place = (place + 1) & last;
          }
        }
        u8[to + row] = passes;
      }
    },
  };
}

/** Hashes the bits of a double. Its best bits are the highest. */
function hash(low: number, high: number): number {
  return Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b);
}
