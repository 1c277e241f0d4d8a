import { meaningOf, type Meaning } from "./meaning.ts";

/**
 * Rounds a number at a decimal place, with the given rounding function. Returns null for more than 22 digits, because
 * larger powers of ten are not exact doubles.
 */
const atDecimal = (toWhole: (value: number) => number): Meaning =>
  meaningOf((value: number, digits: number) => {
    const decimals = Math.trunc(digits);
    if (Math.abs(decimals) > 22) return null;
    const scale = 10 ** Math.abs(decimals);
    const scaled = decimals < 0 ? value / scale : value * scale;
    if (!Number.isFinite(scaled)) return value;
    const whole = toWhole(scaled);
    return decimals < 0 ? whole * scale : whole / scale;
  });

/** The arithmetic functions, in IEEE doubles. `evaluate` replaces results that are not finite by null. */
export const numberMeanings = {
  add: meaningOf((one: number, other: number) => one + other),
  subtract: meaningOf((one: number, other: number) => one - other),
  multiply: meaningOf((one: number, other: number) => one * other),
  divide: meaningOf((one: number, other: number) => one / other),
  modulo: meaningOf((one: number, other: number) => one % other),
  quotient: meaningOf((one: number, other: number) => Math.trunc(one / other)),
  negate: meaningOf((value: number) => -value),
  abs: meaningOf(Math.abs),
  sign: meaningOf(Math.sign),
  ceil: meaningOf(Math.ceil),
  floor: meaningOf(Math.floor),
  // Math.round rounds halves upward, so the absolute value is rounded.
  round: atDecimal((value) => Math.sign(value) * Math.round(Math.abs(value))),
  trunc: atDecimal(Math.trunc),
  sqrt: meaningOf(Math.sqrt),
  power: meaningOf((base: number, exponent: number) => base ** exponent),
  exp: meaningOf(Math.exp),
  ln: meaningOf(Math.log),
  log10: meaningOf(Math.log10),
} as const satisfies Readonly<Record<string, Meaning>>;
