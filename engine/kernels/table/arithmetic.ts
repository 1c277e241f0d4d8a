import { single, warmCalls, warmRowCount, type WarmScratch } from "./kernelEntry.ts";

type Combine = (
  left: number,
  leftStep: number,
  right: number,
  rightStep: number,
  rowCount: number,
  vector: number,
) => void;
type Map = (values: number, rowCount: number, vector: number) => void;
type CutDecimals = (
  values: number,
  rowCount: number,
  factor: number,
  least: number,
  vector: number,
) => void;
type Choose = (
  mask: number,
  then: number,
  thenStep: number,
  otherwise: number,
  otherwiseStep: number,
  rowCount: number,
  vector: number,
) => void;

/** The declarations that kernels of one shape share. */
const combining = {
  calls: warmCalls.few,
  warm: (combine: Combine, { zeros, out }: WarmScratch) =>
    combine(zeros, 16, zeros, 0, warmRowCount, out),
};
const mapping = {
  calls: warmCalls.few,
  warm: (map: Map, { zeros, out }: WarmScratch) => map(zeros, warmRowCount, out),
};
const choosing = {
  calls: warmCalls.few,
  warm: (choose: Choose, { zeros, out }: WarmScratch) =>
    choose(zeros, zeros, 16, zeros, 0, warmRowCount, out),
};

/**
 * Scalar functions of vectors, under the functions' names. An operand has a step of 16 bytes if it is a vector, and 0
 * if it is a constant, which is stored twice, in 16 bytes. `vector` may equal an operand. NaN is null. Results that are
 * not finite are NaN.
 */
export const arithmetic = {
  /** vector = left + right. */
  add: single<Combine>(combining),
  /** vector = left - right. */
  subtract: single<Combine>(combining),
  /** vector = left * right. */
  multiply: single<Combine>(combining),
  /** vector = left / right. */
  divide: single<Combine>(combining),
  /** vector = left, or right where left is NaN. */
  coalesce: single<Combine>(combining),
  /** vector = left, or NaN where left equals right. */
  nullIf: single<Combine>(combining),
  /** vector = the lesser of left and right; left if they are equal. */
  least: single<Combine>(combining),
  /** vector = the greater of left and right; left if they are equal. */
  greatest: single<Combine>(combining),
  /** vector = |value|. */
  abs: single<Map>(mapping),
  /** vector = value, rounded down to a whole number. */
  floor: single<Map>(mapping),
  /** vector = value, rounded up to a whole number. */
  ceil: single<Map>(mapping),
  /**
   * vector = cut(value * factor) / factor, where `cut` moves a number away from zero to a whole number if its fraction
   * is `least` or more, and otherwise toward zero. vector = value where the product is not finite.
   */
  cutDecimals: single<CutDecimals>({
    calls: warmCalls.few,
    warm: (cutDecimals, { zeros, out }) => cutDecimals(zeros, warmRowCount, 1, 0.5, out),
  }),
  /** vector = then, where the byte of the row in the mask is 1; otherwise `otherwise`. */
  choose: single<Choose>(choosing),
  /** codes = then, where the byte of the row in the mask is 1; otherwise `otherwise`. Codes have 32 bits. */
  chooseCodes: single<Choose>(choosing),
};
