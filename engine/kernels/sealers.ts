import type { Kernels } from "./kernels.ts";

/*
 * What brings row groups into their narrowest forms. Addresses are byte offsets in the memory that the sealers are bound to;
 * `rowCount` is at most 65,536. Values are doubles with NaN for null; words are unsigned numbers of 32 bits, and stored words
 * have 0 for null. Outputs are written for `rowCount` rows and not behind them.
 */

/** A sealer for each width of stored whole numbers; 3 bytes are packed little-endian. */
export type ByStoredWidth<Sealer> = readonly [undefined, Sealer, Sealer, Sealer, Sealer];

export interface Sealers {
  /**
   * out = nulls, least, greatest, decimals, zeros below 0, as doubles. Decimals are counted on from `decimals`: the least number,
   * up to 6, that each value fits in when it comes, else -1. Least and greatest are NaN when every row is null.
   */
  readonly zoneNumbers: (values: number, rowCount: number, decimals: number, out: number) => void;
  /** out = nulls, least, greatest of stored words, as doubles. */
  readonly zoneCodes: (words: number, rowCount: number, out: number) => void;
  /** to = (round(value * power) - bias) / scale, 0 for null. */
  readonly sealWhole: ByStoredWidth<
    (
      values: number,
      rowCount: number,
      power: number,
      bias: number,
      scale: number,
      to: number,
    ) => void
  >;
  /** to = words. */
  readonly sealWords: ByStoredWidth<(words: number, rowCount: number, to: number) => void>;
  /** to = values as floats of 4 bytes; returns the first row that does not fit, else `rowCount`. */
  readonly sealFloat4: (values: number, rowCount: number, to: number) => number;
  /** days = floor(value / 86,400,000) - bias, times = the rest, both 0 for null; as words. */
  readonly splitDayTime: (
    values: number,
    rowCount: number,
    bias: number,
    days: number,
    times: number,
  ) => void;
  /** Whether every round(value * power) is a multiple of `step` away from `low`: 1 or 0. */
  readonly shareStep: (
    values: number,
    rowCount: number,
    power: number,
    low: number,
    step: number,
  ) => number;
  /** Whether every word is a multiple of `step`: 1 or 0. */
  readonly shareStepWords: (words: number, rowCount: number, step: number) => number;
  /** words /= step; returns the greatest. */
  readonly divideWords: (words: number, rowCount: number, step: number) => number;
  /** words += 1: of codes, -1 for null, stored ones. */
  readonly nextWords: (words: number, rowCount: number) => void;
  /** words = table[word - 1] + 1, 0 where word is 0; the 4 bytes before the table are readable. */
  readonly translateWords: (words: number, rowCount: number, table: number) => void;
  /** values = (bias + day) * 86,400,000 + time * timeScale, NaN where day is 0; days and times are words. */
  readonly joinDayTimes: (
    days: number,
    times: number,
    rowCount: number,
    bias: number,
    timeScale: number,
    values: number,
  ) => void;
  /** values = (bias + stored * scale) / power, NaN where stored is 0; reads and writes as `Kernels` do, values up to whole blocks of 4. */
  readonly unsealWhole: ByStoredWidth<
    (
      stored: number,
      rowCount: number,
      bias: number,
      scale: number,
      power: number,
      values: number,
    ) => void
  >;
  /** Those of `Kernels`. */
  readonly decodeFloat: Kernels["decodeFloat"];
  readonly widen: Kernels["widen"];
  /** out[0] * 2^26 + out[1] = sum of round(value * power); |value * power| is below 2^54. */
  readonly sumScaled: (values: number, rowCount: number, power: number, out: number) => void;
}
