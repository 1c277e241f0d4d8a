import type { kernelTables, Opened } from "./kernelTable.ts";

/*
 * Conventions of the decoders. They work in a memory of the thread's own, and take addresses in it.
 *
 * - Bytes may be damaged. A decoder never reads or writes outside of its operands and `decoderSlackBytes` behind them.
 * - `levels` is a byte a row, 0 for null. The address 0 means that there are no nulls.
 * - Texts are given by two lists of 32-bit offsets from `source`, `starts` and `ends`; `sizeBytes` is the source's
 *   size.
 */

/** Bytes behind every block that decoders may read or write. */
export const decoderSlackBytes = 64;

/** Words of 32 bits at the head of a pool of texts. Codes count texts in the order of their first appearance. */
export const poolWords = {
  /** Count of texts. */
  count: 0,
  /** Bytes of all texts. */
  usedBytes: 1,
  /**
   * Address of the slots: 32 bits each, code + 1 of a text, 0 when free. Linear probing visits at most 64 from the hash
   * on.
   */
  slots: 2,
  /** `slotCount - 1`; `slotCount` is a power of two. */
  slotMask: 3,
  /** Address of the hash of each text. */
  hashes: 4,
  /** Address of the end of each text in `bytes`. */
  ends: 5,
  bytes: 6,
  countLimit: 7,
  bytesLimit: 8,
  /** Why interning ended early: one of `poolStatus`. */
  status: 9,
} as const;

/** Bytes of the words, and of what interning keeps during a call. */
export const poolHeadBytes = 320;

export const poolStatus = {
  done: 0,
  /** The pool has no space for another text. */
  full: 1,
  /** A text without a slot found 64 slots taken. */
  crowded: 2,
  /** A text is outside of its source. */
  outside: 3,
  /** An index names no entry. */
  outsideDictionary: 4,
} as const;

/** The decoders bound to a memory. */
export type Decoders = Opened<typeof kernelTables.decoders>;
