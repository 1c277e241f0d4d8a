/*
 * What orders and searches texts. Addresses are byte offsets in the memory that the kernels are bound to. Texts are bytes one
 * behind the other: that of code `code` reaches from `starts[code]` to `starts[code + 1]`, 32-bit numbers that count from
 * `bytes`; 24 bytes behind the last are read.
 */
export interface TextKernels {
  /**
   * codes = 0 to below `count`, of distinct texts, in the order of their bytes. Needs room: 4 bytes a text for `spareCodes`, 8 for `keys` and
   * `spareKeys` each, 6 for `runs`, and `orderTablesBytes` for `tables`. Linear in the bytes that tell neighbours apart.
   */
  readonly orderTexts: (
    bytes: number,
    starts: number,
    count: number,
    codes: number,
    spareCodes: number,
    keys: number,
    spareKeys: number,
    tables: number,
    runs: number,
  ) => void;
  /**
   * passes = 1 for each text in which the `length` bytes of `wanted`, at least one, are found, after the bits of `ignored` are set in it; else 0.
   * Both go on to a multiple of 8 with bytes of 0xff. `passes` has a byte a text.
   */
  readonly containing: (
    bytes: number,
    starts: number,
    count: number,
    wanted: number,
    ignored: number,
    length: number,
    passes: number,
  ) => void;
  /** The same at the begin of each text, or, where `isAtEnd` is 1, at its end. */
  readonly adjoining: (
    bytes: number,
    starts: number,
    count: number,
    wanted: number,
    ignored: number,
    length: number,
    isAtEnd: number,
    passes: number,
  ) => void;
}

/** Bytes of the tables of `orderTexts`. */
export const orderTablesBytes = 2 ** 15 + 2 ** 10;
