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
/** Rare in files, or short. */
const rare = "none";

/**
 * Decoders of files and of JSON, which check everything that they read: the bytes may be damaged or hostile. Readers
 * make doubles of `count` stored values, NaN for null and 0 for -0, and return the count before the first value that
 * they refuse.
 */
export const decoders = {
  /**
   * Decompresses the block from `from` to `end`. Returns the end of its output at `to`, -1 when the block is damaged.
   * Matches reach back to `base`; writes end at `limit`.
   */
  decompressLz4: single<DecompressLz4>({ warm }),
  /** Like `decompressLz4`; matches reach back to `to`. */
  decompressSnappy: single<DecompressSnappy>({ warm }),

  /**
   * Unpacks Parquet's hybrid of run lengths and packed bits, of `width` bits up to 32, to 32-bit numbers. Returns 0
   * when the bytes end too early.
   */
  unpackIndices: single<UnpackIndices>({ warm }),
  /** Like `unpackIndices` of 1 bit, to levels. */
  unpackLevels: single<UnpackLevels>({ warm }),
  /** levels = the bits of a bitmap from `firstBit`, a byte each. */
  expandBits: single<ExpandBits>({ warm }),
  /** Returns the count of levels that are not 0. */
  countLevels: single<CountLevels>({ warm }),
  /** Spreads doubles that are stored without nulls over `count` rows; NaN for null. */
  spreadDoubles: single<Spread>({ warm }),
  /** Spreads codes that are stored without nulls over `count` rows; -1 for null. */
  spreadCodes: single<Spread>({ warm }),

  /** Widens indices to 32 bits. A negative or too large index becomes one that no dictionary has. */
  widenIndices8: single<WidenIndices>({ generic: "widenIndices", types: ["i8"], warm: rare }),
  /** Like `widenIndices8`, of unsigned bytes. */
  widenIndices8u: single<WidenIndices>({ generic: "widenIndices", types: ["u8"], warm: rare }),
  /** Like `widenIndices8`, of 16 bits. */
  widenIndices16: single<WidenIndices>({ generic: "widenIndices", types: ["i16"], warm: rare }),
  /** Like `widenIndices8`, of 16 unsigned bits. */
  widenIndices16u: single<WidenIndices>({ generic: "widenIndices", types: ["u16"], warm: rare }),
  /** Like `widenIndices8`, of 64 bits. */
  widenIndices64: single<WidenIndices>({ warm: rare }),
  /** to = entries[index], doubles by 32-bit indices. Returns the count before an index without an entry. */
  gatherDoubles: single<GatherDoubles>({ warm }),

  /** Reads floats; refuses infinities and NaN. */
  readFloat32: single<ReadNumbers>({ generic: "readNumbers", types: ["f32"], warm }),
  /** Reads doubles; refuses infinities and NaN. `to` may be `from`. */
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
  /** Reads whole numbers of 64 bits; refuses 2^53 and beyond, which doubles do not hold exactly. `to` may be `from`. */
  readInt64: single<ReadNumbers>({ warm }),
  /** Like `readInt64`, of unsigned numbers. */
  readUint64: single<ReadNumbers>({ warm: rare }),
  /**
   * Reads instants of 64 bits, floored to milliseconds; refuses those beyond the range of dates. `to` may be `from`.
   */
  readSeconds: single<ReadNumbers>({ warm: rare }),
  /** Like `readSeconds`. */
  readMilliseconds: single<ReadNumbers>({ warm }),
  /** Like `readSeconds`. */
  readMicroseconds: single<ReadNumbers>({ warm }),
  /** Like `readSeconds`. */
  readNanoseconds: single<ReadNumbers>({ warm }),
  /** Reads days of 32 bits, as milliseconds. */
  readDays: single<ReadNumbers>({ warm }),
  /** Reads decimals: to = stored / power, where `power` is a power of ten up to 10^22. */
  readDecimal32: single<ReadDecimals>({ warm: rare }),
  /** Like `readDecimal32`; refuses stored numbers of 2^53 and beyond. */
  readDecimal64: single<ReadDecimals>({ generic: "readWideDecimals", types: ["i64"], warm: rare }),
  /** Like `readDecimal64`. */
  readDecimal128: single<ReadDecimals>({
    generic: "readWideDecimals",
    types: ["v128"],
    warm: rare,
  }),

  /** Fills bytes with zeros. */
  clearBytes: single<ClearBytes>({ warm: rare }),
  /**
   * Finds texts that follow their 32-bit lengths, the first length at `from` of the source. Returns the end of the last
   * text, -1 when the bytes end too early.
   */
  splitByteArrays: single<SplitByteArrays>({ warm }),
  /**
   * Finds texts by `count` + 1 offsets into `sizeBytes` bytes that begin `from` bytes behind the source. Texts outside
   * get places that interning refuses.
   */
  placeTexts: single<PlaceTexts>({ warm }),
  /**
   * codes = the code of each text in the pool, which grows by new texts; -1 for null. Returns the count done; the
   * pool's `status` says why not all.
   */
  internTexts: single<InternTexts>({ warm }),
  /**
   * As `internTexts`, of texts by their 32-bit indices. `known` has for each entry its code + 2, 1 for null, 0 before
   * the first row with it.
   */
  internIndexed: single<InternIndexed>({ warm }),
  /** Adds a text without a slot. Returns its code, -1 when the pool is full. */
  addText: single<AddText>({ warm: rare }),
  /**
   * Enters the texts from a code on into empty slots. Returns the first code that found none, else the count of texts.
   */
  rehashTexts: single<RehashTexts>({ warm }),

  /** Parses rows of JSON into columns until one needs more memory; see `jsonReader.ts`. Returns one of `jsonStatus`. */
  parseJsonRows: single<ParseJsonRows>({ warm: rare }),
};
