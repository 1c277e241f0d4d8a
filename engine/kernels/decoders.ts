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

/** Makes doubles of `count` stored values; null is NaN, -0 is 0. Returns how many were done before one that is refused. */
type ReadNumbers = (from: number, levels: number, count: number, to: number) => number;
type ReadDecimals = (
  from: number,
  levels: number,
  count: number,
  to: number,
  power: number,
) => number;
type WidenIndices = (from: number, count: number, to: number) => void;

export interface Decoders {
  /** Decodes a block from `from` to `end`. Returns where what was written to `to` ends, -1 when it is damaged; matches go back to `base`, nothing is written past `limit`. */
  readonly decompressLz4: (
    from: number,
    end: number,
    base: number,
    to: number,
    limit: number,
  ) => number;
  /** As `decompressLz4`; matches go back to `to`. */
  readonly decompressSnappy: (from: number, end: number, to: number, limit: number) => number;

  /** Unpacks Parquet's hybrid of run lengths and packed bits of `width` bits, at most 32, to 32-bit numbers. Returns 0 when the bytes end too early. */
  readonly unpackIndices: (
    from: number,
    end: number,
    width: number,
    count: number,
    to: number,
  ) => number;
  /** As `unpackIndices` of 1 bit, to levels. */
  readonly unpackLevels: (from: number, end: number, count: number, to: number) => number;
  /** Spells a bitmap out as levels. */
  readonly expandBits: (bits: number, firstBit: number, count: number, levels: number) => void;
  /** How many levels are not 0. */
  readonly countLevels: (levels: number, count: number) => number;
  /** Puts values that are stored without nulls into `count` rows. */
  readonly spreadDoubles: (values: number, levels: number, count: number, to: number) => void;
  /** As `spreadDoubles`, of codes; null is -1. */
  readonly spreadCodes: (values: number, levels: number, count: number, to: number) => void;

  /** Makes indices of 32 bits; one that is negative or too large becomes one that no dictionary has. */
  readonly widenIndices8: WidenIndices;
  readonly widenIndices8u: WidenIndices;
  readonly widenIndices16: WidenIndices;
  readonly widenIndices16u: WidenIndices;
  readonly widenIndices64: WidenIndices;
  /** Looks doubles up by indices of 32 bits. Returns how many were done before an index without an entry. */
  readonly gatherDoubles: (
    entries: number,
    entryCount: number,
    indices: number,
    levels: number,
    count: number,
    to: number,
  ) => number;

  /** Floats are refused when they are not finite. Those of 64 bits may be read where they lie, `to` being `from`. */
  readonly readFloat32: ReadNumbers;
  readonly readFloat64: ReadNumbers;
  readonly readInt8: ReadNumbers;
  readonly readInt16: ReadNumbers;
  readonly readInt32: ReadNumbers;
  readonly readUint8: ReadNumbers;
  readonly readUint16: ReadNumbers;
  readonly readUint32: ReadNumbers;
  /** Refuses what a double does not hold exactly: from 2^53. `to` may be `from`, as below. */
  readonly readInt64: ReadNumbers;
  readonly readUint64: ReadNumbers;
  /** Instants of 64 bits, cut to milliseconds towards the past; those beyond what a date can be are refused. */
  readonly readSeconds: ReadNumbers;
  readonly readMilliseconds: ReadNumbers;
  readonly readMicroseconds: ReadNumbers;
  readonly readNanoseconds: ReadNumbers;
  /** Days of 32 bits, as milliseconds. */
  readonly readDays: ReadNumbers;
  /** Decimals, which are divided by a power of ten of at most 22; those from 2^53 on, without their point, are refused. */
  readonly readDecimal32: ReadDecimals;
  readonly readDecimal64: ReadDecimals;
  readonly readDecimal128: ReadDecimals;

  readonly clearBytes: (at: number, sizeBytes: number) => void;
  /** Finds the places of texts that stand behind their lengths of 32 bits, the first at `from` of the source. Returns where the last ends, -1 when the bytes end too early. */
  readonly splitByteArrays: (
    source: number,
    sizeBytes: number,
    from: number,
    count: number,
    starts: number,
    ends: number,
  ) => number;
  /** Makes places of `count` + 1 offsets into `sizeBytes` bytes that lie `from` bytes behind the source; those outside become places that interning refuses. */
  readonly placeTexts: (
    offsets: number,
    count: number,
    sizeBytes: number,
    from: number,
    starts: number,
    ends: number,
  ) => void;
  /** Writes the codes of `count` texts, adding those that are new; null is -1. Returns how many were done; `status` says why not all. */
  readonly internTexts: (
    pool: number,
    source: number,
    sizeBytes: number,
    starts: number,
    ends: number,
    levels: number,
    count: number,
    codes: number,
  ) => number;
  /** As `internTexts`, of texts by their 32-bit indices. `known` holds for each entry its code plus 2, 1 for a null one, 0 when it was not met. */
  readonly internIndexed: (
    pool: number,
    source: number,
    sizeBytes: number,
    starts: number,
    ends: number,
    known: number,
    entryCount: number,
    indices: number,
    levels: number,
    count: number,
    codes: number,
  ) => number;
  /** Adds a text without a slot. Returns its code, -1 when there is no room. */
  readonly addText: (pool: number, from: number, sizeBytes: number) => number;
  /** Gives the texts from a code on their slots, which are free before. Returns the first that found none, the count when all did. */
  readonly rehashTexts: (pool: number, fromCode: number) => number;

  /** Parses rows of JSON into columns until one needs more than it does; see `jsonReader.ts`. Returns one of `jsonStatus`. */
  readonly parseJsonRows: (reader: number) => number;
}
