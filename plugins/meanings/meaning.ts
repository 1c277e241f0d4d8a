import type { Value } from "./value.ts";

/**
 * Computes a function of its arguments, which are complete and of the declared types. They are null only for functions
 * with null rules of their own.
 */
export type Meaning = (args: readonly Value[]) => Value;

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

/** A lone half of a surrogate pair is a code point of its own. */
function compareTexts(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  let index = 0;
  while (index < length && one.charCodeAt(index) === other.charCodeAt(index)) index++;
  if (index === length) return one.length - other.length;
  // The difference may be in the second half of a pair.
  const from = index > 0 && (one.charCodeAt(index - 1) & 0xfc00) === 0xd800 ? index - 1 : index;
  const pointAt = (text: string, at: number) => text.codePointAt(at) ?? 0;
  return pointAt(one, from) - pointAt(other, from) || pointAt(one, index) - pointAt(other, index);
}
