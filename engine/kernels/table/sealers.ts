import { decoding } from "./decoding.ts";
import { byWidth, single } from "./kernelEntry.ts";

type ZoneNumbers = (values: number, rowCount: number, decimals: number, out: number) => void;
type ZoneCodes = (words: number, rowCount: number, out: number) => void;
type SealWhole = (
  values: number,
  rowCount: number,
  power: number,
  bias: number,
  scale: number,
  to: number,
) => void;
type SealWords = (words: number, rowCount: number, to: number) => void;
type SealFloat4 = (values: number, rowCount: number, to: number) => number;
type SplitDayTime = (
  values: number,
  rowCount: number,
  bias: number,
  days: number,
  times: number,
) => void;
type ShareStep = (
  values: number,
  rowCount: number,
  power: number,
  low: number,
  step: number,
) => number;
type ShareStepWords = (words: number, rowCount: number, step: number) => number;
type DivideWords = (words: number, rowCount: number, step: number) => number;
type NextWords = (words: number, rowCount: number) => void;
type TranslateWords = (words: number, rowCount: number, table: number) => void;
type JoinDayTimes = (
  days: number,
  times: number,
  rowCount: number,
  bias: number,
  timeScale: number,
  values: number,
) => void;
type UnsealWhole = (
  stored: number,
  rowCount: number,
  bias: number,
  scale: number,
  power: number,
  values: number,
) => void;
type SumScaled = (values: number, rowCount: number, power: number, out: number) => void;

const warm = "ingest/warmSealing";

/**
 * The sealers convert row groups of at most 65,536 rows to their narrowest exact form, and back. Values are doubles,
 * with NaN for null; words are unsigned 32-bit numbers, and stored words are 0 for null. Nothing is written after the
 * last row.
 */
export const sealers = {
  /**
   * out = number of nulls, minimum, maximum, decimals and number of negative zeros, as doubles. Decimals are the
   * smallest number from `decimals` to 6 with which every value is exact, otherwise -1. Minimum and maximum are NaN if
   * every row is null.
   */
  zoneNumbers: single<ZoneNumbers>({ warm }),
  /** out = number of nulls, minimum and maximum of stored words, as doubles. */
  zoneCodes: single<ZoneCodes>({ warm }),
  /** to = (round(value * power) - bias) / scale; 0 for null. */
  sealWhole: byWidth<SealWhole>({ warm }),
  /** to = words, narrowed. */
  sealWords: byWidth<SealWords>({ warm }),
  /**
   * to = values as floats of 4 bytes. Returns the first row whose value is not exact as a float; `rowCount` if all are
   * exact.
   */
  sealFloat4: single<SealFloat4>({ warm: "none" }),
  /** days = floor(value / 86,400,000) - bias, times = the remainder. Days and times are words, and 0 for null. */
  splitDayTime: single<SplitDayTime>({ warm }),
  /** Returns 1 if every round(value * power) - low is a multiple of `step`, otherwise 0. */
  shareStep: single<ShareStep>({ warm }),
  /** Returns 1 if every word is a multiple of `step`, otherwise 0. */
  shareStepWords: single<ShareStepWords>({ warm }),
  /** words /= step. Returns the greatest word. */
  divideWords: single<DivideWords>({ warm }),
  /** words += 1: turns codes, with -1 for null, into stored words. */
  nextWords: single<NextWords>({ warm }),
  /** words = table[word - 1] + 1; 0 where the word is 0. Reads the 4 bytes before the table. */
  translateWords: single<TranslateWords>({ warm }),
  /** values = (bias + day) * 86,400,000 + time * timeScale; NaN where the day is 0. Days and times are words. */
  joinDayTimes: single<JoinDayTimes>({ warm }),
  /** values = (bias + stored * scale) / power; NaN where stored is 0. Writes whole blocks of 4. */
  unsealWhole: byWidth<UnsealWhole>({ warm }),
  /** out[0] * 2^26 + out[1] = sum of round(value * power), where |value * power| is below 2^54. */
  sumScaled: single<SumScaled>({ warm }),
  decodeFloat: decoding.decodeFloat,
  widen: decoding.widen,
};
