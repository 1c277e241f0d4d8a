import type { RowFunction, ScalarFunction, VectorFunction } from "./scalarFunction.ts";

/** Arithmetic on IEEE doubles. */
export const arithmeticFunctions = {
  add: numeric(2, (left: number, right: number) => left + right),
  subtract: numeric(2, (left: number, right: number) => left - right),
  multiply: numeric(2, (left: number, right: number) => left * right),
  divide: numeric(2, (left: number, right: number) => left / right),
  /** The result has the sign of the left operand. */
  modulo: numeric(2, (left: number, right: number) => left % right),
  /** Truncates toward zero. */
  quotient: numeric(2, (left: number, right: number) => Math.trunc(left / right)),
  negate: numeric(1, (value: number) => -value),
  abs: numeric(1, Math.abs),
  sign: numeric(1, Math.sign),
  ceil: numeric(1, Math.ceil),
  floor: numeric(1, Math.floor),
  /**
   * Rounds to a number of decimals. Ties are rounded away from zero. Negative decimals round to tens, hundreds and so
   * on.
   */
  round: numeric(2, (value: number, digits: number) => toDigits(value, digits, roundHalf)),
  /** Like `round`, but truncates toward zero. */
  trunc: numeric(2, (value: number, digits: number) => toDigits(value, digits, Math.trunc)),
  sqrt: numeric(1, Math.sqrt, ([values], rowCount, out) => {
    for (let row = 0; row < rowCount; row++) out[row] = Math.sqrt(values[row]);
  }),
  power: numeric(2, (value: number, exponent: number) => value ** exponent),
  exp: numeric(1, Math.exp),
  ln: numeric(1, Math.log),
  log10: numeric(1, Math.log10),
} as const satisfies Readonly<Record<string, ScalarFunction>>;

function numeric(parameterCount: 1 | 2, row: RowFunction, vector?: VectorFunction): ScalarFunction {
  return {
    parameters: parameterCount === 1 ? ["number"] : ["number", "number"],
    result: "number",
    bind: () => row,
    ...(vector && { vector }),
  };
}

function roundHalf(value: number): number {
  const whole = Math.trunc(value);
  return Math.abs(value - whole) >= 0.5 ? whole + Math.sign(value) : whole;
}

function toDigits(value: number, digits: number, cut: (value: number) => number): number {
  const places = Math.trunc(digits);
  if (Math.abs(places) > 22) return NaN;
  const factor = 10 ** Math.abs(places);
  const scaled = places < 0 ? value / factor : value * factor;
  if (!Number.isFinite(scaled)) return value;
  return places < 0 ? cut(scaled) * factor : cut(scaled) / factor;
}
