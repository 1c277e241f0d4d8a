import { isObject } from "../../base/index.ts";

/**
 * Returns whether PostgreSQL can store every string in a value. Strings must not contain NUL or unpaired surrogates.
 */
export function isStorable(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed() && !value.includes("\0");
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isStorable);
  if (isObject(value))
    return Object.entries(value).every(([name, each]) => isStorable(name) && isStorable(each));
  return true;
}
