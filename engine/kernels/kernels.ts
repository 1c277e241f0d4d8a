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

/** A kernel for each width of stored whole numbers; index 0 is never called. */
export type ByWidth<Kernel> = readonly [undefined, Kernel, Kernel, Kernel, Kernel];

/** Two kernels, for stored floats of 4 and of 8 bytes. */
export interface ByFloat<Kernel> {
  readonly 4: Kernel;
  readonly 8: Kernel;
}

export interface Kernels {
  // Masks -------------------------------------------------------------------------------------------
  /** mask = low <= stored <= high, unsigned; the bounds are any doubles. */
  readonly range: ByWidth<
    (values: number, rowCount: number, low: number, high: number, mask: number) => void
  >;
  /** mask = low <= value <= high; false for NaN. */
  readonly rangeFloat: ByFloat<
    (values: number, rowCount: number, low: number, high: number, mask: number) => void
  >;
  /** mask = value is NaN. */
  readonly nullFloat: ByFloat<(values: number, rowCount: number, mask: number) => void>;
  /** mask = table[stored], a table of bytes 0 or 1. */
  readonly lookup: ByWidth<(values: number, rowCount: number, table: number, mask: number) => void>;
  /** mask = bit `stored` of a set of 256 bits (32 bytes at `set`); for stored bytes below `bound` only, which is at most 256. */
  readonly member: (
    values: number,
    rowCount: number,
    set: number,
    bound: number,
    mask: number,
  ) => void;
  /** mask = left & right; returns how many of the bytes are 1. */
  readonly andMask: (left: number, right: number, rowCount: number, mask: number) => number;
  readonly orMask: (left: number, right: number, rowCount: number, mask: number) => void;
  readonly notMask: (of: number, rowCount: number, mask: number) => void;
  /** Lists the rows below `rowCount` whose byte is 1; returns how many. `table` is `selectingTable`. */
  readonly select: (mask: number, rowCount: number, table: number, selection: number) => number;
  /** Keeps of a list of `rowCount` rows those whose byte is 1, byte `i` for the row listed at `i`; returns how many. `table` is `selectingTable`. */
  readonly narrow: (mask: number, rowCount: number, table: number, selection: number) => number;
  /** How many of the bytes are 1. */
  readonly countMask: (mask: number, rowCount: number) => number;

  // Decoding ----------------------------------------------------------------------------------------
  /** vector = bias + stored * scale, NaN where stored is 0. */
  readonly decode: ByWidth<
    (values: number, rowCount: number, scale: number, bias: number, vector: number) => void
  >;
  /** The same for the rows of a selection; `values` is where the vector's row 0 is stored. */
  readonly decodeSelected: ByWidth<
    (
      values: number,
      selection: number,
      rowCount: number,
      scale: number,
      bias: number,
      vector: number,
    ) => void
  >;
  /** vector = value (width 4 is widened; width 8 is copied). */
  readonly decodeFloat: ByFloat<(values: number, rowCount: number, vector: number) => void>;
  readonly decodeFloatSelected: ByFloat<
    (values: number, selection: number, rowCount: number, vector: number) => void
  >;
  /** Widens stored whole numbers to 32 bits. */
  readonly widen: ByWidth<(values: number, rowCount: number, numbers: number) => void>;
  readonly widenSelected: ByWidth<
    (values: number, selection: number, rowCount: number, numbers: number) => void
  >;
  /** vector = vector + other. */
  readonly addVector: (vector: number, other: number, rowCount: number) => void;
  /** vector = nearest whole number (ties to even) of value * factor. `vector` may be `values`. */
  readonly scaleRound: (values: number, rowCount: number, factor: number, vector: number) => void;
  /** vector = value / divisor. `vector` may be `values`. */
  readonly divideVector: (
    values: number,
    rowCount: number,
    divisor: number,
    vector: number,
  ) => void;
  /**
   * vector = the greatest limit (base + k * step) / scale that is not above the value; NaN where that is not finite.
   * The first guess at k is floor((value - origin) / width), which is off by one at most. `vector` may be `values`.
   */
  readonly binStarts: (
    values: number,
    rowCount: number,
    width: number,
    origin: number,
    base: number,
    step: number,
    scale: number,
    vector: number,
  ) => void;
  /** vector = (value - base) / step. `vector` may be `values`. */
  readonly countSteps: (
    values: number,
    rowCount: number,
    base: number,
    step: number,
    vector: number,
  ) => void;
  /**
   * vector = value + first + the sum of what is added from each step on that is <= value. `steps` are pairs of doubles: from where,
   * and how much. `vector` may be `values`.
   */
  readonly addSteps: (
    values: number,
    rowCount: number,
    first: number,
    steps: number,
    stepCount: number,
    vector: number,
  ) => void;
  /** vector = first + floor((value + shift) / length) modulo count, from `first` on. `vector` may be `values`. */
  readonly placesInCycle: (
    values: number,
    rowCount: number,
    shift: number,
    length: number,
    count: number,
    first: number,
    vector: number,
  ) => void;
  /** vector = table[floor((value + shift) / length)], a table of doubles, and table[0] for NaN. `vector` may be `values`. */
  readonly lookupSteps: (
    values: number,
    rowCount: number,
    shift: number,
    length: number,
    table: number,
    vector: number,
  ) => void;

  // Group numbers -----------------------------------------------------------------------------------
  /** numbers = (isFirst ? 0 : numbers) + stride * (stored === 0 ? 0 : stored + offset). `offset` is signed. */
  readonly number: ByWidth<
    (
      values: number,
      rowCount: number,
      offset: number,
      stride: number,
      numbers: number,
      isFirst: number,
    ) => void
  >;
  readonly numberSelected: ByWidth<
    (
      values: number,
      selection: number,
      rowCount: number,
      offset: number,
      stride: number,
      numbers: number,
      isFirst: number,
    ) => void
  >;
  /** numbers = (isFirst ? 0 : numbers) + stride * table[stored], a table of 32-bit numbers. */
  readonly numberLookup: ByWidth<
    (
      values: number,
      rowCount: number,
      table: number,
      stride: number,
      numbers: number,
      isFirst: number,
    ) => void
  >;
  readonly numberLookupSelected: ByWidth<
    (
      values: number,
      selection: number,
      rowCount: number,
      table: number,
      stride: number,
      numbers: number,
      isFirst: number,
    ) => void
  >;
  /** numbers += stride * (first + how many of the ascending thresholds are <= value; NaN counts as number 0), over a vector of doubles. `thresholds` are doubles. */
  readonly numberThresholds: (
    vector: number,
    rowCount: number,
    thresholds: number,
    thresholdCount: number,
    first: number,
    stride: number,
    numbers: number,
    isFirst: number,
  ) => void;
  /** The same straight from stored whole numbers, of which 0 is null. `starts` are 32-bit numbers from 1 on, in any order. */
  readonly numberStarts: ByWidth<
    (
      values: number,
      rowCount: number,
      starts: number,
      startCount: number,
      first: number,
      stride: number,
      numbers: number,
      isFirst: number,
    ) => void
  >;
  readonly numberStartsSelected: ByWidth<
    (
      values: number,
      selection: number,
      rowCount: number,
      starts: number,
      startCount: number,
      first: number,
      stride: number,
      numbers: number,
      isFirst: number,
    ) => void
  >;
  /** numbers += stride * (NaN ? 0 : value - base + 1), over a vector of whole doubles. */
  readonly numberWhole: (
    vector: number,
    rowCount: number,
    base: number,
    stride: number,
    numbers: number,
    isFirst: number,
  ) => void;
  /**
   * numbers += stride * (day === 0 ? 0 : firsts[day] + (time >= second[day]) + (time >= third[day])): days and times are
   * 32-bit vectors, `table` has three 32-bit numbers a day: the number at midnight UTC, and the times from which the next ones hold.
   */
  readonly numberDayTime: (
    days: number,
    times: number,
    rowCount: number,
    table: number,
    stride: number,
    numbers: number,
    isFirst: number,
  ) => void;

  // Folds over groups -------------------------------------------------------------------------------
  /** slot[0] += 1. */
  readonly foldRows: (
    numbers: number,
    rowCount: number,
    state: number,
    strideBytes: number,
    copyBytes: number,
  ) => void;
  /** slot[0] += 1, slot[1] += value; no NaN. */
  readonly foldRowsSum: (
    numbers: number,
    vector: number,
    rowCount: number,
    state: number,
    strideBytes: number,
    copyBytes: number,
  ) => void;
  /** slot[0] += 1 and slot[1] += value where the value is not NaN: a count and a sum. */
  readonly foldCountSum: (
    numbers: number,
    vector: number,
    rowCount: number,
    state: number,
    strideBytes: number,
    copyBytes: number,
  ) => void;
  /** slot[0] += left, slot[1] += right; no NaN. */
  readonly foldPair: (
    numbers: number,
    left: number,
    right: number,
    rowCount: number,
    state: number,
    strideBytes: number,
    copyBytes: number,
  ) => void;
  /**
   * slot[0] += 1, slot[1] += bias + stored * scale, straight from stored columns without a null: the first index is the
   * width of the stored group numbers, the second the width of the stored values, 8 for doubles.
   */
  readonly foldStored: readonly [undefined, FoldStored, FoldStored, FoldStored, FoldStored];
  /**
   * numbers = (isFirst ? 0 : numbers) + stride * (code - first), a byte a row: 0 to 15 is a group, 128 to 255 a row of no group.
   * `codes` are a byte each, from `first` to `first + 15`. Numbers are written up to whole blocks of 64 rows, those behind the last
   * row as rows of no group.
   */
  readonly numberFew: (
    codes: number,
    rowCount: number,
    first: number,
    stride: number,
    numbers: number,
    isFirst: number,
  ) => void;
  /** The same from 32-bit numbers below 16. */
  readonly narrowFew: (wide: number, rowCount: number, numbers: number) => void;
  /** Takes the rows whose byte in `mask` is 0 out of their groups; returns the set of those that are left: bit `g` for group `g`. */
  readonly leaveOut: (mask: number, rowCount: number, numbers: number) => number;
  /** to = numbers but for the rows whose stored value is null, which are in no group; returns the set of those that are left. */
  readonly leaveNulls: ByWidth<
    (numbers: number, values: number, rowCount: number, to: number) => number
  >;
  readonly leaveNullFloats: ByFloat<
    (numbers: number, values: number, rowCount: number, to: number) => number
  >;
  /** out[2 * index] = rows of the group first + index, 0 where bit `index` of `present` is not set. */
  readonly countFew: (
    numbers: number,
    rowCount: number,
    first: number,
    groupCount: number,
    present: number,
    out: number,
  ) => void;
  /**
   * out[2 * index] = rows of the group first + index whose value is not 0, out[2 * index + 1] = their sum of stored (exact); both
   * are 0 where bit `index` of `present` is not set. Where some stored value may be 0, `hasNulls` is 1. Overwrites `fewScratchBytes` of `scratch`.
   */
  readonly foldFew: ByWidth<
    (
      numbers: number,
      values: number,
      rowCount: number,
      first: number,
      groupCount: number,
      present: number,
      hasNulls: number,
      scratch: number,
      out: number,
    ) => void
  >;
  /**
   * slot[0] += 1 and slot[1] += value for the rows of a selection whose stored float is not NaN. `numbers` are a byte for each row of
   * the vector, below 16; the slot of a group is at state + offsets[number], a table of 32-bit numbers of bytes. Overwrites
   * `fewFloatScratchBytes` of `scratch`.
   */
  readonly foldFewFloat: ByFloat<
    (
      numbers: number,
      values: number,
      selection: number,
      rowCount: number,
      offsets: number,
      state: number,
      copyBytes: number,
      scratch: number,
    ) => void
  >;
  /** slot[0] += left, slot[1] += right in the same way, of two stored columns of doubles; no NaN. */
  readonly foldFewPair: (
    numbers: number,
    left: number,
    right: number,
    selection: number,
    rowCount: number,
    offsets: number,
    state: number,
    copyBytes: number,
  ) => void;
  /** slot[0] = least, slot[1] = -greatest; both start as Infinity; NaN is skipped. */
  readonly foldExtent: (
    numbers: number,
    vector: number,
    rowCount: number,
    state: number,
    strideBytes: number,
    copyBytes: number,
  ) => void;
  /** Two slots: count, mean; sum of squared differences, 0 (Welford 1962). NaN is skipped. No copies. */
  readonly foldVariance: (
    numbers: number,
    vector: number,
    rowCount: number,
    state: number,
    strideBytes: number,
  ) => void;
  /** buckets = 1 + floor((value - low) * factor), from 1 to `bucketCount` - 1, and 0 for NaN. */
  readonly bucket: (
    vector: number,
    rowCount: number,
    low: number,
    factor: number,
    bucketCount: number,
    buckets: number,
  ) => void;
  /** counts[number * bucketCount + bucket] += 1, 32 bits each. */
  readonly foldHistogram: (
    numbers: number,
    buckets: number,
    rowCount: number,
    counts: number,
    bucketCount: number,
  ) => void;
  /**
   * Writes each value whose bucket is marked to its place: slot = wanted[number * bucketCount + bucket] (a 32-bit index of a
   * cursor plus one, 0 = not wanted); out[cursors[slot - 1]++] = value.
   */
  readonly collect: (
    numbers: number,
    buckets: number,
    vector: number,
    rowCount: number,
    wanted: number,
    bucketCount: number,
    cursors: number,
    out: number,
  ) => void;

  /**
   * Sets bit `stored + offset`, or 0 where stored is 0, of the bitmap at bits + number * strideBytes, straight from stored columns.
   * The first index is the width of the stored group numbers, the second that of the values.
   * Overwrites `markScratchBytes` of `scratch`.
   */
  readonly markStored: ByNumber<MarkStored>;
  /**
   * counts[number * stride + bucket] += 1, 32 bits each, straight from stored columns: bucket = (stored + offset) >> shift, a sum
   * below 2^32, and 0 where stored is 0. The first index is the width of the stored group numbers, the second that of the values.
   */
  readonly countStored: ByNumber<CountStored>;
  /** The same, faster, where number * stride + bucket is below 65,536. Overwrites `countScratchBytes` of `scratch`. */
  readonly countNarrow: ByNumber<CountNarrow>;
  /**
   * Lists the rows whose bucket is marked, in their order: slot = wanted[number * stride + bucket] (a 32-bit index plus one, 0 =
   * not wanted); each row is two words in `found`, slot - 1 and stored + offset. Returns how many.
   */
  readonly findStored: ByNumber<FindStored>;
  /** counts[index * 2^shift + the second word modulo 2^shift] += 1 for each of the rows that `findStored` listed; index is the first word. */
  readonly countFound: (found: number, foundCount: number, shift: number, counts: number) => void;
  /**
   * counts[(slot - 1) * 2^shift + (stored + offset) modulo 2^shift] += 1 for the rows that `findStored` would list, where buckets are
   * below 255. `numbers` are a byte a row, below 64, of which the bits in `varies` count. A layer is 64 bytes: a bucket that is wanted of
   * each number, or 255; each wanted bucket is in one of them.
   */
  readonly countWanted: ByWidth<
    (
      numbers: number,
      varies: number,
      values: number,
      rowCount: number,
      offset: number,
      shift: number,
      wanted: number,
      stride: number,
      layers: number,
      layerCount: number,
      counts: number,
    ) => void
  >;
  /** out[cursors[index]++] = base + the second word for each of the rows that `findStored` listed; index is the first word. */
  readonly placeFound: (
    found: number,
    foundCount: number,
    base: number,
    cursors: number,
    out: number,
  ) => void;

  // Folds without groups; rowCount is at most 65,536 --------------------------------------------------
  /** out[0] = sum of stored (exact), out[1] = how many are not 0. */
  readonly total: ByWidth<(values: number, rowCount: number, out: number) => void>;
  /** The same of the rows whose byte in the mask is 1. */
  readonly totalMasked: ByWidth<
    (values: number, mask: number, rowCount: number, out: number) => void
  >;
  /** out[0] = sum, out[1] = count of what is not NaN; eight running sums, added pairwise at the end. */
  readonly totalFloat: ByFloat<(values: number, rowCount: number, out: number) => void>;
  /** out[0] = least, out[1] = -greatest of what is not NaN, Infinity when there is none. */
  readonly extent: (vector: number, rowCount: number, out: number) => void;

  // Hashing -----------------------------------------------------------------------------------------
  /** keys (64 bits) = low + high * 2^32, from two 32-bit vectors. */
  readonly pairKeys: (low: number, high: number, rowCount: number, keys: number) => void;
  /** keys = bits of each double; -0 becomes 0 and every NaN the same NaN. */
  readonly doubleKeys: (vector: number, rowCount: number, keys: number) => void;
  /**
   * Finds or adds the group of each key. `slots` is an open-addressing table of `slotMask + 1` 32-bit numbers (group + 1, 0 is
   * empty), `groupKeys` the keys by group, `count` the address of the number of groups. Stops before a row that would make
   * group number `limit`; returns the rows done.
   */
  readonly findGroups: (
    keys: number,
    rowCount: number,
    slots: number,
    slotMask: number,
    groupKeys: number,
    count: number,
    limit: number,
    numbers: number,
  ) => number;
  /** Fills an empty table with the groups there are. */
  readonly rehash: (groupKeys: number, groupCount: number, slots: number, slotMask: number) => void;

  // Merging; sizes are multiples of 16 bytes ----------------------------------------------------------
  /** target += other, as doubles. */
  readonly addStates: (target: number, other: number, sizeBytes: number) => void;
  /** target = least of both, as doubles. */
  readonly leastStates: (target: number, other: number, sizeBytes: number) => void;
  readonly orBits: (target: number, other: number, sizeBytes: number) => void;
  /** target += other, as 32-bit numbers. */
  readonly addCounts: (target: number, other: number, sizeBytes: number) => void;
  readonly countBits: (bits: number, sizeBytes: number) => number;
}

/** Indexed by the width of the stored values: 1 to 4 unsigned, 8 doubles. */
export interface FoldStored {
  readonly 1: FoldStoredKernel;
  readonly 2: FoldStoredKernel;
  readonly 3: FoldStoredKernel;
  readonly 4: FoldStoredKernel;
  readonly 8: FoldStoredKernel;
}

export type FoldStoredKernel = (
  numbers: number,
  values: number,
  rowCount: number,
  scale: number,
  bias: number,
  state: number,
  strideBytes: number,
  copyBytes: number,
) => void;

/** A kernel for each width of stored group numbers, and each width of stored values. */
export interface ByNumber<Kernel> {
  readonly 1: ByWidth<Kernel>;
  readonly 2: ByWidth<Kernel>;
  readonly 4: ByWidth<Kernel>;
}

type MarkStored = (
  numbers: number,
  values: number,
  rowCount: number,
  offset: number,
  bits: number,
  strideBytes: number,
  scratch: number,
) => void;

type CountStored = (
  numbers: number,
  values: number,
  rowCount: number,
  offset: number,
  shift: number,
  counts: number,
  stride: number,
) => void;

type CountNarrow = (
  numbers: number,
  values: number,
  rowCount: number,
  offset: number,
  shift: number,
  counts: number,
  stride: number,
  scratch: number,
) => void;

type FindStored = (
  numbers: number,
  values: number,
  rowCount: number,
  offset: number,
  shift: number,
  wanted: number,
  stride: number,
  found: number,
) => number;
