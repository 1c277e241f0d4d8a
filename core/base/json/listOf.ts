import { isList } from "./isList.ts";

/** Returns a list as it is, and any other value as the empty list. */
export function listOf(value: unknown): readonly unknown[] {
  return isList(value) ? value : [];
}
