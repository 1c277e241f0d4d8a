import type { kernelTables, Opened } from "./kernelTable.ts";

/*
 * Conventions of the decoders. They work in a memory of their thread and accept addresses in this memory.
 *
 * - Bytes may be damaged. A decoder never reads or writes outside its operands and the `decoderSlackBytes` after them.
 * - `levels` has one byte per row, which is 0 for null. Address 0 means that there are no nulls.
 * - Strings are given by two lists of 32-bit offsets from `source`: `starts` and `ends`. `sizeBytes` is the size of the
 * source.
 */

/** Number of bytes after every block that decoders may read or write. */
export const decoderSlackBytes = 64;

/**
 * Indices of the 32-bit words at the start of a pool of strings. Codes number the strings in order of first appearance.
 */
export const poolWords = {
  /** Number of strings. */
  count: 0,
  /** Total bytes of all strings. */
  usedBytes: 1,
  /**
   * Address of the slots, which have 32 bits each: code + 1 of a string, or 0 if free. Linear probing starts at the
   * hash and visits at most 64 slots.
   */
  slots: 2,
  /** `slotCount - 1`; `slotCount` is a power of two. */
  slotMask: 3,
  /** Address of the hash of each string. */
  hashes: 4,
  /** Address of the end offset of each string in `bytes`. */
  ends: 5,
  bytes: 6,
  countLimit: 7,
  bytesLimit: 8,
  /** The reason why interning stopped early: one of `poolStatus`. */
  status: 9,
} as const;

/** Bytes of these words and of the data that interning keeps during a call. */
export const poolHeadBytes = 64;

export const poolStatus = {
  done: 0,
  /** Interning stopped because the pool has no space for another string. */
  full: 1,
  /** None of the 64 slots that a string may use was free. */
  crowded: 2,
  /** The position of a string lies outside its source. */
  outside: 3,
} as const;

/** The decoders, bound to a memory. */
export type Decoders = Opened<typeof kernelTables.decoders>;
