import { isObject } from "../../base/index.ts";

/** Returns the strings of a name, which may have one per language. */
export function namesOf(name: unknown): string[] {
  const texts = isObject(name) ? Object.values(name) : [name];
  return texts.filter((text) => typeof text === "string");
}
