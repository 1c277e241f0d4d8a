import { single } from "./kernelEntry.ts";

type OrderTexts = (
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
type Containing = (
  bytes: number,
  starts: number,
  count: number,
  wanted: number,
  ignored: number,
  length: number,
  passes: number,
) => void;
type Adjoining = (
  bytes: number,
  starts: number,
  count: number,
  wanted: number,
  ignored: number,
  length: number,
  isAtEnd: number,
  passes: number,
) => void;

const warm = "warming/warmTexts";

/**
 * Ordering and searching texts. Text `code` has the bytes from `starts[code]` to `starts[code + 1]`, 32-bit offsets
 * from `bytes`; kernels read 24 bytes behind the last.
 */
export const texts = {
  /**
   * codes = 0 to `count` - 1, ordered by the bytes of their texts, which are distinct. Needs 4 bytes a text at
   * `spareCodes`, 8 each at `keys` and `spareKeys`, 6 at `runs`, and `orderTablesBytes` at `tables`. Linear in the
   * bytes that distinguish neighbours.
   */
  orderTexts: single<OrderTexts>({ warm }),
  /**
   * passes = 1 for each text that contains the `length` bytes of `wanted`, at least one, after the bits of `ignored`
   * are set in the text; else 0. `wanted` and `ignored` are padded with 0xff to a multiple of 8; `passes` has a byte a
   * text.
   */
  containing: single<Containing>({ warm }),
  /** Like `containing`, at the start of each text, or at its end where `isAtEnd` is 1. */
  adjoining: single<Adjoining>({ warm }),
};
