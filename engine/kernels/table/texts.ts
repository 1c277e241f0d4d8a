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
 * The string kernels order and search strings. String `code` has the bytes from `starts[code]` to `starts[code + 1]`,
 * which are 32-bit offsets from `bytes`. Kernels read 24 bytes after the last string.
 */
export const texts = {
  /**
   * codes = 0 to `count` - 1, ordered by the bytes of their strings, which must be distinct. Needs 4 bytes per string
   * at `spareCodes`, 8 each at `keys` and `spareKeys`, 6 at `runs`, and `orderTablesBytes` at `tables`. Linear in the
   * bytes that distinguish neighbours.
   */
  orderTexts: single<OrderTexts>({ warm }),
  /**
   * passes = 1 for each string that contains the `length` bytes of `wanted`, otherwise 0. The bits in `ignored` are set
   * in the string before the comparison. `length` is at least 1. `wanted` and `ignored` are padded with 0xff to a
   * multiple of 8. `passes` has one byte per string.
   */
  containing: single<Containing>({ warm }),
  /** Like `containing`, but only at the start of each string, or at its end if `isAtEnd` is 1. */
  adjoining: single<Adjoining>({ warm }),
};
