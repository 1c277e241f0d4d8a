import type { kernelTables, Opened } from "./kernelTable.ts";

/*
 * What decodes the bytes of files. All work in a memory of the thread's own and take addresses in it.
 *
 * - Bytes may be damaged: whatever they are, a decoder reads and writes nothing but what it is given and `decoderSlackBytes` behind it.
 * - `levels` is a byte a row, 0 for null; the address 0 stands for no nulls.
 * - Places of texts are two lists of 32-bit numbers, `starts` and `ends`, counted from `source`, whose size is `sizeBytes`.
 */

/** Bytes behind every block that decoders may read or write. */
export const decoderSlackBytes = 64;

/** Words of 32 bits at the head of a pool of texts; a text's code is its number in order of first appearance. */
export const poolWords = {
  /** Texts. */
  count: 0,
  /** Bytes of all texts. */
  usedBytes: 1,
  /** Where the slots lie: code plus one of a text, 0 when free, in 32 bits; linear probing of at most 64 from the hash on. */
  slots: 2,
  /** Their number, a power of two, less one. */
  slotMask: 3,
  /** Where the hash of each text lies. */
  hashes: 4,
  /** Where the end of each text in `bytes` lies. */
  ends: 5,
  bytes: 6,
  countLimit: 7,
  bytesLimit: 8,
  /** Why interning ended before all was done: one of `poolStatus`. */
  status: 9,
} as const;

/** The words, and what interning remembers for a moment. */
export const poolHeadBytes = 320;

export const poolStatus = {
  done: 0,
  /** No room for a text more. */
  full: 1,
  /** A new text, or one that has no slot, found 64 slots taken. */
  crowded: 2,
  /** A text lies outside of its source. */
  outside: 3,
  /** An index names no entry. */
  outsideDictionary: 4,
} as const;

/** The decoders bound to a memory. */
export type Decoders = Opened<typeof kernelTables.decoders>;
