import type { kernelTables, Opened } from "./kernelTable.ts";

/*
 * Conventions of the kernels of the arena. They check nothing, so callers keep these:
 *
 * - Addresses are byte offsets in the memory, as numbers, past 2^31 too. Integer parameters wrap to 32 bits.
 * - `rowCount` is at most `vectorSize`; but `numberFew`, `countFew`, `foldFew`, `foldStored`, `countStored`,
 *   `countWanted` and the totals take a whole row group.
 * - Vectors in scratch memory begin at multiples of 64 bytes and are padded to whole blocks of 16 rows. Kernels read
 *   and write that padding, and nothing behind it; inputs and tables are readable 64 bytes behind their end.
 * - `select` and `narrow` write up to eight places behind the last row that they list.
 * - Stored whole numbers and codes are unsigned, 1 to 4 bytes wide (3: packed little-endian); 0 is null. Stored floats
 *   are 4 or 8 bytes wide; NaN is null. A decoded vector holds doubles; NaN is null.
 * - A mask is a byte a row, 0 or 1. A selection lists the rows that pass, ascending, as 16-bit positions.
 * - Numbers are 32-bit group numbers, from 0 to below the product of the keys' cardinalities. Numbers of few groups are
 *   a byte a row, padded to whole blocks of `fewBlockRows`.
 * - A state is an array of 16-byte slots, two doubles each; the slots of group `g` begin at `state + g * strideBytes`.
 *   With `copyBytes` above 0 there are four copies of the state, `copyBytes` apart. Row `i` goes to copy `i % 4`, so
 *   that neighbouring rows of one group do not wait for each other.
 */

/** Rows that operators process at once: few enough to stay in the first caches. */
export const vectorSize = 4096;

/** The most groups that the kernels of few groups take. */
export const fewGroups = 16;

/** The block of rows in which numbers of few groups are read. Rows behind the last of a vector are excluded. */
export const fewBlockRows = 64;

/** Bytes of scratch that `foldFew` needs. */
export const fewScratchBytes = 3856;

/** Bytes of scratch that `markStored` needs. */
export const markScratchBytes = 2560;

/** The kernels bound to an arena: what queries run. */
export type Kernels = Opened<typeof kernelTables.arena>;
