/**
 * Writes a 64-bit hash of each double as two 32-bit numbers, the low half first. -0 hashes like 0, and every NaN has
 * the same hash. Source: Austin Appleby, MurmurHash3_x86_32 (public domain) over the eight bytes, once for each of two
 * seeds.
 */
export function hashDoubles(values: Float64Array, rowCount: number, hashes: Uint32Array): void {
  for (let row = 0; row < rowCount; row++) {
    const value = values[row];
    bits[0] = value === value ? value + 0 : NaN;
    hashes[row * 2] = hashHalves(halves[0], halves[1], 0x9747b28c);
    hashes[row * 2 + 1] = hashHalves(halves[0], halves[1], 0x5bd1e995);
  }
}

const bits = new Float64Array(1);
const halves = new Uint32Array(bits.buffer);

function hashHalves(low: number, high: number, seed: number): number {
  let hash = mix(mix(seed, low), high) ^ 8;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function mix(hash: number, word: number): number {
  let mixed = Math.imul(word, 0xcc9e2d51);
  mixed = Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593) ^ hash;
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}
