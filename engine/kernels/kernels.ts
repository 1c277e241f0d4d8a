import type { kernelTables, Opened } from "./kernelTable.ts";

/**
 * What the kernels can do. Addresses are byte offsets in the arena that the instance is bound to; `rowCount` is at most
 * `vectorSize` unless said otherwise; `numberFew`, `countFew`, `foldFew`, `foldStored`, `countStored`, `countNarrow`, `countWanted` and `total` take a whole row
 * group too. Vectors in scratch memory start at multiples of 64 bytes and are padded to whole
 * blocks of 16 rows; kernels may read and write that padding, and may read 64 bytes past stored values.
 *
 * Stored whole numbers and codes are unsigned, 1 to 4 bytes wide (3: packed little-endian), and 0 is null.
 * Stored floats are 4 or 8 bytes wide and NaN is null. A decoded vector holds doubles with NaN for null.
 * A mask is a byte a row, 0 or 1. A selection lists the rows that pass, ascending, as 16-bit positions.
 * Numbers are 32-bit group numbers, 0 to below the product of the keys' cardinalities.
 *
 * A state is an array of 16-byte slots, two doubles each; group `g` has its slots at `state + g * strideBytes`.
 * With `copyBytes` above 0 there are four copies of the state, `copyBytes` apart, and row `i` goes to copy `i % 4`:
 * neighbouring rows of the same group then do not wait for one another.
 */

/** Rows that operators pass from one to the next: small enough to stay in the first caches. */
export const vectorSize = 4096;

/** Groups that `numberFew` can tell apart. */
export const fewGroups = 16;

/** Rows that numbers of few groups are read at a time: those behind the last of a vector are in no group. */
export const fewTurnRows = 64;

/** Bytes of scratch that `foldFew` needs. */
export const fewScratchBytes = 3856;

/** Bytes of scratch that `foldFewFloat` needs: half a vector. */
export const fewFloatScratchBytes = 16_384;

/** Bytes of scratch that `markStored` needs. */
export const markScratchBytes = 2560;

/** Bytes of scratch that `countNarrow` needs, and counters that it can tell apart. */
export const countScratchBytes = 1024;
export const mostNarrowCounters = 65_536;

/** The kernels bound to an arena: what queries run. */
export type Kernels = Opened<typeof kernelTables.arena>;
