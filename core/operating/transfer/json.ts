import { isObject } from "../../base/index.ts";

export type Json = Readonly<Record<string, unknown>>;

/** Returns a copy of the value in which the members of every object are in alphabetical order. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((member) => [member, sorted(value[member])]),
  );
}

/** Returns whether two JSON values are equal, regardless of the order of members. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}
