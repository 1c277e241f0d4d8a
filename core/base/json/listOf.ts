import { isList } from "./isList.ts";

/** Returns an array unchanged, and an empty array for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return isList(value) ? value : [];
}
