const precision = 14;
/**
 * Number of registers per sketch, one byte each. A new sketch is all zeros. The standard error is 1.04 /
 * sqrt(registers) = 0.8 %.
 */
export const sketchRegisters = 2 ** precision;
/** Number of bits of a hash that do not select the register. */
const rankBits = 64 - precision;

/**
 * Adds hashes (low and high 32 bits, as `hashDoubles` writes them) to the sketches of their rows. Row `i` is added to
 * sketch `numbers[i]`, whose registers start at `numbers[i] * sketchRegisters`, or to sketch 0 if `numbers` is absent.
 * The caller must exclude rows whose value is null. Source: P. Flajolet et al., HyperLogLog (2007), with 64-bit hashes
 * as in S. Heule et al., HyperLogLog in Practice (2013).
 */
export function foldHashes(
  hashes: Uint32Array,
  rowCount: number,
  registers: Uint8Array,
  numbers?: ArrayLike<number>,
): void {
  for (let row = 0; row < rowCount; row++) {
    const high = hashes[row * 2 + 1];
    const rank = rankOf(hashes[row * 2], high);
    const index = (numbers ? numbers[row] * sketchRegisters : 0) + (high >>> (32 - precision));
    if (rank > registers[index]) registers[index] = rank;
  }
}

/** Returns the position of the first bit that is 1, counted after the bits that select the register. */
function rankOf(low: number, high: number): number {
  const rest = high << precision;
  return rest !== 0 ? Math.clz32(rest) + 1 : 32 - precision + Math.clz32(low) + 1;
}

/** Number of ranks that an entry can contain, in six bits. */
const entryRanks = 64;

/**
 * Returns the effect of a hash on a sketch as one number below 2^20 that combines register and rank. For few values, a
 * set of these entries can replace the sketch.
 */
export function sketchEntry(low: number, high: number): number {
  return (high >>> (32 - precision)) * entryRanks + rankOf(low, high);
}

/**
 * Estimates like `estimateDistinct`, but from the entries of a sketch in ascending order instead of from its registers.
 * The result is the same. Takes O(entries).
 */
export function estimateEntries(entries: Float64Array): number {
  const counts = new Float64Array(rankBits + 2);
  let registerCount = 0;
  for (let index = 0; index < entries.length; index++) {
    const register = Math.floor(entries[index] / entryRanks);
    const next = index + 1 < entries.length ? Math.floor(entries[index + 1] / entryRanks) : -1;
    if (register === next) continue;
    counts[entries[index] % entryRanks]++;
    registerCount++;
  }
  counts[0] = sketchRegisters - registerCount;
  return estimateCounts(counts);
}

/**
 * Merges each sketch of one list into the sketch at the same index of the other list. The order of merges does not
 * matter.
 */
export function mergeSketches(registers: Uint8Array, others: Uint8Array): void {
  for (let index = 0; index < registers.length; index++)
    if (others[index] > registers[index]) registers[index] = others[index];
}

/** Estimates the number of distinct hashes added to a sketch, as a whole number. */
export function estimateDistinct(registers: Uint8Array): number {
  const counts = new Float64Array(rankBits + 2);
  for (let index = 0; index < sketchRegisters; index++) counts[registers[index]]++;
  return estimateCounts(counts);
}

/**
 * Estimates the count from the number of registers of each rank. Source: O. Ertl, New cardinality estimation algorithms
 * for HyperLogLog sketches (arXiv:1702.01284, 2017), algorithm 6.
 */
function estimateCounts(counts: Float64Array): number {
  let sum = sketchRegisters * tau(1 - counts[rankBits + 1] / sketchRegisters);
  for (let rank = rankBits; rank >= 1; rank--) sum = (sum + counts[rank]) / 2;
  sum += sketchRegisters * sigma(counts[0] / sketchRegisters);
  return Math.round((sketchRegisters * sketchRegisters) / (2 * Math.LN2) / sum);
}

/** Returns the term that corrects the estimate for empty registers. */
function sigma(share: number): number {
  if (share === 1) return Infinity;
  let power = share;
  let factor = 1;
  let sum = share;
  for (let before = NaN; sum !== before; factor *= 2) {
    power *= power;
    before = sum;
    sum += power * factor;
  }
  return sum;
}

/** Returns the term that corrects the estimate for full registers. */
function tau(share: number): number {
  if (share === 0 || share === 1) return 0;
  let root = share;
  let factor = 1;
  let sum = 1 - share;
  for (let before = NaN; sum !== before;) {
    root = Math.sqrt(root);
    before = sum;
    factor /= 2;
    sum -= (1 - root) ** 2 * factor;
  }
  return sum / 3;
}
