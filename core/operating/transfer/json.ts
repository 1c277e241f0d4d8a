import { isObject } from "../../base/index.ts";

export type Json = Readonly<Record<string, unknown>>;

/** Returns the value with the members of every object in alphabetical order. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((member) => [member, sorted(value[member])]),
  );
}

/** Returns whether two JSON values are equal; the order of members does not count. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}
