import type { Value } from "./value.ts";

/**
 * Computes a function from its arguments. The number and types of the arguments are as declared. Only functions with
 * their own null rules receive null.
 */
export type Meaning = (args: readonly Value[]) => Value;

/** Creates the meaning of a function from a plain function whose arguments have known types. */
export function meaningOf<Args extends readonly Value[]>(
  compute: (...args: Args) => Value,
): Meaning {
  return (args) => compute(...(args as Args));
}

/** Compares two values of one type: numbers and datetimes by size, strings by code point. */
export function compareValues(one: Value, other: Value): number {
  if (typeof one === "string" && typeof other === "string") return compareTexts(one, other);
  return Number(one) - Number(other);
}

/** Compares two strings by code point. A lone surrogate counts as a code point. */
function compareTexts(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  let index = 0;
  while (index < length && one.charCodeAt(index) === other.charCodeAt(index)) index++;
  if (index === length) return one.length - other.length;
  // The strings may differ in the second half of a surrogate pair.
  const from = index > 0 && (one.charCodeAt(index - 1) & 0xfc00) === 0xd800 ? index - 1 : index;
  const pointAt = (text: string, at: number) => text.codePointAt(at) ?? 0;
  return pointAt(one, from) - pointAt(other, from) || pointAt(one, index) - pointAt(other, index);
}
