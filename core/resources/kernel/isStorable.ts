import { isObject } from "../../base/index.ts";

/** Returns whether PostgreSQL can store every string of a value: no NUL and no unpaired surrogates. */
export function isStorable(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed() && !value.includes("\0");
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isStorable);
  if (isObject(value))
    return Object.entries(value).every(([name, each]) => isStorable(name) && isStorable(each));
  return true;
}
