import type { BoundDistinct } from "../../plan/boundPlan.ts";

/**
 * Pairs of a directly numbered group and a value. With `values`, `words` contains the group of each value. Without,
 * `words` contains a key of 64 bits for each pair; see `PairKeys`.
 */
export interface PairChunk {
  readonly words: Uint32Array;
  readonly values: Float64Array | undefined;
}

/**
 * How a pair becomes a key of 64 bits. The group has the lowest `groupBits` bits. The other bits contain a code; with
 * `base`, the code is value - base + 1.
 */
export interface PairKeys {
  readonly groupBits: number;
  readonly base?: number;
}

/** Returns how the pairs of a distinct count become keys; undefined if the values stay doubles. */
export function pairKeysOf(distinct: BoundDistinct, capacity: number): PairKeys | undefined {
  if (distinct.kind !== "number") return { groupBits: 32 };
  const { whole } = distinct;
  if (!whole) return undefined;
  const groupBits = Math.ceil(Math.log2(Math.max(1, capacity)));
  const codeBits = Math.ceil(Math.log2(whole.cardinality + 1));
  return groupBits + codeBits <= 64 ? { groupBits, base: whole.base } : undefined;
}

/** Pairs in the order in which they were recorded. */
export type PairPart = readonly PairChunk[];

/**
 * The pairs of a task, without nulls, by index of the distinct count or percentile and by part. Equal pairs of all
 * tasks are in the part with the same number. For percentiles, each part contains a range of groups.
 */
export interface RecordedPairs {
  readonly distincts: readonly (readonly PairPart[])[];
  readonly quantiles: readonly (readonly PairPart[])[];
}

/** Number of rows for which the hash table of a part stays in the second-level cache. */
const rowsPerPart = 2 ** 15;
/** The areas of more than 2^8 parts would not stay in the cache together. */
const mostPartBits = 8;

/** Returns the binary logarithm of the number of parts for a table. */
export function partBitsOf(rowCount: number): number {
  const bits = Math.ceil(Math.log2(Math.max(1, rowCount / rowsPerPart)));
  return Math.min(mostPartBits, bits);
}

/** Returns the shift that divides group numbers below `capacity` into at most `2 ** partBits` ranges. */
export function groupShiftOf(capacity: number, partBits: number): number {
  return Math.max(0, Math.ceil(Math.log2(Math.max(1, capacity))) - partBits);
}

/** Returns the number of pairs in a part. */
export function pairCountOf(part: PairPart): number {
  return part.reduce((sum, { words, values }) => sum + (values?.length ?? words.length / 2), 0);
}
