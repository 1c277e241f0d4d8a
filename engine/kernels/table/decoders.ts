import { single } from "./kernelEntry.ts";

type DecompressLz4 = (from: number, end: number, base: number, to: number, limit: number) => number;
type DecompressSnappy = (from: number, end: number, to: number, limit: number) => number;
type UnpackIndices = (
  from: number,
  end: number,
  width: number,
  count: number,
  to: number,
) => number;
type UnpackLevels = (from: number, end: number, count: number, to: number) => number;
type ExpandBits = (bits: number, firstBit: number, count: number, levels: number) => void;
type CountLevels = (levels: number, count: number) => number;
type Spread = (values: number, levels: number, count: number, to: number) => void;
type WidenIndices = (from: number, count: number, to: number) => void;
type GatherDoubles = (
  entries: number,
  entryCount: number,
  indices: number,
  levels: number,
  count: number,
  to: number,
) => number;
type ReadNumbers = (from: number, levels: number, count: number, to: number) => number;
type ReadDecimals = (
  from: number,
  levels: number,
  count: number,
  to: number,
  power: number,
) => number;
type ClearBytes = (at: number, sizeBytes: number) => void;
type SplitByteArrays = (
  source: number,
  sizeBytes: number,
  from: number,
  count: number,
  starts: number,
  ends: number,
) => number;
type PlaceTexts = (
  offsets: number,
  count: number,
  sizeBytes: number,
  from: number,
  starts: number,
  ends: number,
) => void;
type InternTexts = (
  pool: number,
  source: number,
  sizeBytes: number,
  starts: number,
  ends: number,
  levels: number,
  count: number,
  codes: number,
) => number;
type InternIndexed = (
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
type AddText = (pool: number, from: number, sizeBytes: number) => number;
type RehashTexts = (pool: number, fromCode: number) => number;
type ParseJsonRows = (reader: number) => number;

const warm = "ingest/warmDecoding";
/** The kernel is not warmed: its form is rare in files, or its calls are short. */
const rare = "none";

/**
 * Decoders of files and of JSON. They validate everything that they read, because the bytes may be damaged or hostile.
 * Readers write `count` stored values as doubles, with NaN for null and 0 for -0. They return the number of values
 * before the first value that they reject.
 */
export const decoders = {
  /**
   * Decompresses the block from `from` to `end`. Returns the end of the output, which starts at `to`, or -1 if the
   * block is damaged. Matches may refer to bytes as far back as `base`; the output must not exceed `limit`.
   */
  decompressLz4: single<DecompressLz4>({ warm }),
  /** Like `decompressLz4`, but matches may refer to bytes as far back as `to`. */
  decompressSnappy: single<DecompressSnappy>({ warm }),

  /**
   * Unpacks Parquet's hybrid of run lengths and packed bits, with `width` of at most 32 bits, to 32-bit numbers.
   * Returns 0 if the bytes end too early.
   */
  unpackIndices: single<UnpackIndices>({ warm }),
  /** Like `unpackIndices` with 1 bit, but writes levels. */
  unpackLevels: single<UnpackLevels>({ warm }),
  /** levels = the bits of a bitmap from `firstBit`, one byte each. */
  expandBits: single<ExpandBits>({ warm }),
  /** Returns how many levels are not 0. */
  countLevels: single<CountLevels>({ warm }),
  /** Spreads doubles that are stored without nulls over `count` rows, and writes NaN for null. */
  spreadDoubles: single<Spread>({ warm }),
  /** Like `spreadDoubles`, for codes: writes -1 for null. */
  spreadCodes: single<Spread>({ warm }),

  /** Widens indices to 32 bits. An index that is negative or too large becomes an index that no dictionary contains. */
  widenIndices8: single<WidenIndices>({ generic: "widenIndices", types: ["i8"], warm: rare }),
  /** Like `widenIndices8`, for unsigned bytes. */
  widenIndices8u: single<WidenIndices>({ generic: "widenIndices", types: ["u8"], warm: rare }),
  /** Like `widenIndices8`, for 16 bits. */
  widenIndices16: single<WidenIndices>({ generic: "widenIndices", types: ["i16"], warm: rare }),
  /** Like `widenIndices8`, for 16 unsigned bits. */
  widenIndices16u: single<WidenIndices>({ generic: "widenIndices", types: ["u16"], warm: rare }),
  /** Like `widenIndices8`, for 64 bits. */
  widenIndices64: single<WidenIndices>({ warm: rare }),
  /**
   * to = entries[index], where entries are doubles and indices have 32 bits. Returns the number of indices before the
   * first index that has no entry.
   */
  gatherDoubles: single<GatherDoubles>({ warm }),

  /** Reads floats. Rejects infinities and NaN. */
  readFloat32: single<ReadNumbers>({ generic: "readNumbers", types: ["f32"], warm }),
  /** Reads doubles. Rejects infinities and NaN. `to` may equal `from`. */
  readFloat64: single<ReadNumbers>({ generic: "readNumbers", types: ["f64"], warm }),
  /** Reads whole numbers of 8 bits. */
  readInt8: single<ReadNumbers>({ generic: "readNumbers", types: ["i8"], warm: rare }),
  /** Reads whole numbers of 16 bits. */
  readInt16: single<ReadNumbers>({ generic: "readNumbers", types: ["i16"], warm: rare }),
  /** Reads whole numbers of 32 bits. */
  readInt32: single<ReadNumbers>({ generic: "readNumbers", types: ["i32"], warm }),
  /** Reads unsigned whole numbers of 8 bits. */
  readUint8: single<ReadNumbers>({ generic: "readNumbers", types: ["u8"], warm: rare }),
  /** Reads unsigned whole numbers of 16 bits. */
  readUint16: single<ReadNumbers>({ generic: "readNumbers", types: ["u16"], warm: rare }),
  /** Reads unsigned whole numbers of 32 bits. */
  readUint32: single<ReadNumbers>({ generic: "readNumbers", types: ["u32"], warm: rare }),
  /**
   * Reads whole numbers of 64 bits. Rejects 2^53 and beyond, which doubles cannot represent exactly. `to` may equal
   * `from`.
   */
  readInt64: single<ReadNumbers>({ warm }),
  /** Like `readInt64`, for unsigned numbers. */
  readUint64: single<ReadNumbers>({ warm: rare }),
  /**
   * Reads 64-bit instants, rounded down to milliseconds. Rejects instants outside the range of dates. `to` may equal
   * `from`.
   */
  readSeconds: single<ReadNumbers>({ warm: rare }),
  /** Like `readSeconds`, for instants in milliseconds. */
  readMilliseconds: single<ReadNumbers>({ warm }),
  /** Like `readSeconds`, for instants in microseconds. */
  readMicroseconds: single<ReadNumbers>({ warm }),
  /** Like `readSeconds`, for instants in nanoseconds. */
  readNanoseconds: single<ReadNumbers>({ warm }),
  /** Reads 32-bit days as milliseconds. */
  readDays: single<ReadNumbers>({ warm }),
  /** Reads decimals: to = stored / power, where `power` is a power of ten up to 10^22. */
  readDecimal32: single<ReadDecimals>({ warm: rare }),
  /** Like `readDecimal32`, but rejects stored numbers of 2^53 and beyond. */
  readDecimal64: single<ReadDecimals>({ generic: "readWideDecimals", types: ["i64"], warm: rare }),
  /** Like `readDecimal64`, for decimals of 128 bits. */
  readDecimal128: single<ReadDecimals>({
    generic: "readWideDecimals",
    types: ["v128"],
    warm: rare,
  }),

  /** Fills bytes with zeros. */
  clearBytes: single<ClearBytes>({ warm: rare }),
  /**
   * Finds strings, each of which is preceded by its length in 32 bits. The first length is at `from` of the source.
   * Returns the end of the last string, or -1 if the bytes end too early.
   */
  splitByteArrays: single<SplitByteArrays>({ warm }),
  /**
   * Finds strings by `count` + 1 offsets into `sizeBytes` bytes that start `from` bytes into the source. Strings
   * outside these bytes get positions that interning rejects.
   */
  placeTexts: single<PlaceTexts>({ warm }),
  /**
   * codes = the code of each string in the pool, to which new strings are added; -1 for null. Returns the number of
   * rows done. If this is less than `count`, the pool's `status` contains the reason.
   */
  internTexts: single<InternTexts>({ warm }),
  /**
   * Like `internTexts`, for strings given by 32-bit indices. `known` contains for each entry its code + 2, or 1 for
   * null, or 0 before the first row that uses it.
   */
  internIndexed: single<InternIndexed>({ warm }),
  /** Adds a string without giving it a slot. Returns the code of the string, or -1 if the pool is full. */
  addText: single<AddText>({ warm: rare }),
  /**
   * Inserts all strings from a given code on into empty slots. Returns the first code for which
   * there was no slot, or the number of strings.
   */
  rehashTexts: single<RehashTexts>({ warm }),

  /**
   * Parses rows of JSON into columns until one of them needs more memory; see `jsonReader.ts`. Returns one of
   * `jsonStatus`.
   */
  parseJsonRows: single<ParseJsonRows>({ warm: rare }),
};
