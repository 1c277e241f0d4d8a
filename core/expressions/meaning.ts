import type { Value } from "./portable.ts";

/** What an evaluation knows besides its arguments. */
export interface Moment {
  /** The instant of the query, whole milliseconds since 1970-01-01T00:00:00Z. */
  readonly nowMs: number;
}

/** What a function makes of its arguments, which are complete and of the declared types; null only where the function takes nulls itself. */
export type Meaning = (args: readonly Value[], moment: Moment) => Value;

/** Makes a meaning of a plain function over values of known types. */
export function meaningOf<Args extends readonly Value[]>(
  compute: (...args: Args) => Value,
): Meaning {
  return (args) => compute(...(args as Args));
}

/** Orders two values of one type: numbers and datetimes by size, texts by code point. */
export function compareValues(one: Value, other: Value): number {
  if (typeof one === "string" && typeof other === "string") return compareTexts(one, other);
  return Number(one) - Number(other);
}

function compareTexts(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) {
    const left = one.charCodeAt(index);
    const right = other.charCodeAt(index);
    // Surrogates stand for code points above all others.
    if (left !== right)
      return isSurrogate(left) === isSurrogate(right) ? left - right : isSurrogate(left) ? 1 : -1;
  }
  return one.length - other.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;
