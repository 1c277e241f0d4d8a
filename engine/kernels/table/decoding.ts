import { byFloat, byWidth, single, warmCalls, warmRowCount } from "./kernelEntry.ts";

type Decode = (
  values: number,
  rowCount: number,
  scale: number,
  bias: number,
  vector: number,
) => void;
type DecodeSelected = (
  values: number,
  selection: number,
  rowCount: number,
  scale: number,
  bias: number,
  vector: number,
) => void;
type Widen = (values: number, rowCount: number, to: number) => void;
type WidenSelected = (values: number, selection: number, rowCount: number, to: number) => void;
type Gather = (values: number, rowCount: number, table: number, vector: number) => void;
type AddVector = (vector: number, other: number, rowCount: number) => void;
type ScaleRound = (values: number, rowCount: number, factor: number, vector: number) => void;
type DivideVector = (values: number, rowCount: number, divisor: number, vector: number) => void;
type BinStarts = (
  values: number,
  rowCount: number,
  width: number,
  origin: number,
  base: number,
  step: number,
  scale: number,
  vector: number,
) => void;
type CountSteps = (
  values: number,
  rowCount: number,
  base: number,
  step: number,
  vector: number,
) => void;
type AddSteps = (
  values: number,
  rowCount: number,
  first: number,
  steps: number,
  stepCount: number,
  vector: number,
) => void;
type PlacesInCycle = (
  values: number,
  rowCount: number,
  shift: number,
  length: number,
  count: number,
  first: number,
  vector: number,
) => void;
type LookupSteps = (
  values: number,
  rowCount: number,
  shift: number,
  length: number,
  table: number,
  vector: number,
) => void;

/** Converts stored values to vectors, and does arithmetic on vectors. `vector` may always equal `values`. */
export const decoding = {
  /** vector = bias + stored * scale, NaN where stored is 0. */
  decode: byWidth<Decode>({
    warm: (decode, { zeros, out }) => decode(zeros, warmRowCount, 1, 0, out),
  }),
  /**
   * Like `decode`, for the rows of a selection. `values` is the address of the vector's row 0, even if row 0 is not
   * selected.
   */
  decodeSelected: byWidth<DecodeSelected>({
    warm: (decode, { zeros, out }) => decode(zeros, zeros, warmRowCount, 1, 0, out),
  }),
  /** vector = value. Values of 4 bytes are widened; values of 8 bytes are copied. */
  decodeFloat: byFloat<Widen>({
    // A copy has no loop that V8 could optimize.
    calls: (width) => (width === 4 ? warmCalls.few : 0),
    warm: (decode, { zeros, out }) => decode(zeros, warmRowCount, out),
  }),
  /** Like `decodeFloat`, for the rows of a selection. */
  decodeFloatSelected: byFloat<WidenSelected>({
    warm: (decode, { zeros, out }) => decode(zeros, zeros, warmRowCount, out),
  }),
  /** numbers = stored, as 32-bit whole numbers. */
  widen: byWidth<Widen>({
    calls: warmCalls.block,
    warm: (widen, { zeros, out }) => widen(zeros, warmRowCount, out),
  }),
  /** Like `widen`, for the rows of a selection. */
  widenSelected: byWidth<WidenSelected>({
    warm: (widen, { zeros, out }) => widen(zeros, zeros, warmRowCount, out),
  }),
  /** vector = table[stored]. The table contains a double for each stored number, even for 0. */
  gather: byWidth<Gather>({
    warm: (gather, { zeros, out }) => gather(zeros, warmRowCount, zeros, out),
  }),
  /** vector += other. */
  addVector: single<AddVector>({
    calls: warmCalls.few,
    warm: (add, { zeros, out }) => add(out, zeros, warmRowCount),
  }),
  /** vector = round(value * factor), ties to even. */
  scaleRound: single<ScaleRound>({
    calls: warmCalls.few,
    warm: (scale, { zeros, out }) => scale(zeros, warmRowCount, 1, out),
  }),
  /** vector = value / divisor. */
  divideVector: single<DivideVector>({
    calls: warmCalls.few,
    warm: (divide, { zeros, out }) => divide(zeros, warmRowCount, 1, out),
  }),
  /**
   * vector = the greatest limit (base + k * step) / scale that is at most the value; NaN if that limit is not finite.
   * The first guess for k is floor((value - origin) / width), which is off by at most one.
   */
  binStarts: single<BinStarts>({
    warm: (binStarts, { zeros, out }) => binStarts(zeros, warmRowCount, 1, 0, 0, 1, 1, out),
  }),
  /** vector = (value - base) / step. */
  countSteps: single<CountSteps>({
    calls: warmCalls.few,
    warm: (count, { zeros, out }) => count(zeros, warmRowCount, 0, 1, out),
  }),
  /**
   * vector = value + first + the sum of `added` over all steps whose `from` is at most the value. `steps` are pairs of
   * doubles: `from` and `added`.
   */
  addSteps: single<AddSteps>({
    warm: (add, { zeros, out }) => add(zeros, warmRowCount, 0, zeros, 2, out),
  }),
  /** vector = first + floor((value + shift) / length) modulo count. */
  placesInCycle: single<PlacesInCycle>({
    calls: warmCalls.few,
    warm: (places, { zeros, out }) => places(zeros, warmRowCount, 0, 1, 7, 1, out),
  }),
  /** vector = table[floor((value + shift) / length)], or table[0] for NaN. The table contains doubles. */
  lookupSteps: single<LookupSteps>({
    warm: (lookup, { zeros, out }) => lookup(zeros, warmRowCount, 0, 1, zeros, out),
  }),
};
