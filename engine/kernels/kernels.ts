import type { kernelTables, Opened } from "./kernelTable.ts";

/*
 * Conventions of the kernels of the arena. They check nothing, so callers must follow these rules:
 *
 * - Addresses are byte offsets in the memory, as numbers, even above 2^31. Integer parameters wrap to 32 bits.
 * - `rowCount` is at most `vectorSize`, except for `numberFew`, `countFew`, `foldFew`, `foldStored`, `countStored`,
 * `countWanted` and the totals, which accept a whole row group.
 * - Vectors in scratch memory start at multiples of 64 bytes and are padded to whole blocks of 16 rows. Kernels read
 * and write that padding, and nothing after it. The 64 bytes after inputs and tables are readable.
 * - `select` and `narrow` write up to eight positions after the last row that they list.
 * - Stored whole numbers and codes are unsigned, 1 to 4 bytes wide (3: packed little-endian); 0 is null. Stored floats
 * are 4 or 8 bytes wide; NaN is null. A decoded vector contains doubles; NaN is null.
 * - A mask is one byte per row, 0 or 1. A selection lists the rows that pass, ascending, as 16-bit positions.
 * - Numbers are 32-bit group numbers, from 0 to below the product of the keys' cardinalities. Numbers of few groups are
 * one byte per row, padded to whole blocks of `fewBlockRows`.
 * - A state is an array of 16-byte slots of two doubles each. The slots of group `g` start at `state + g *
 * strideBytes`. If `copyBytes` is above 0, there are four copies of the state, `copyBytes` apart. Row `i` goes to copy
 * `i % 4`, so that neighbouring rows of one group do not wait for each other.
 */

/** Number of rows that operators process at once. It is so small that their values stay in the first-level cache. */
export const vectorSize = 4096;

/** Maximum number of groups for the kernels of few groups. */
export const fewGroups = 16;

/**
 * Number of rows in the blocks that the kernels of few groups read. Rows after the last row of a vector are excluded.
 */
export const fewBlockRows = 64;

/** Bytes of scratch memory that `foldFew` needs. */
export const fewScratchBytes = 3856;

/** Bytes of scratch memory that `markStored` needs. */
export const markScratchBytes = 2560;

/** The kernels that run queries, bound to an arena. */
export type Kernels = Opened<typeof kernelTables.arena>;
