import { isObject } from "../../json/index.ts";

/** The kind of a JSON value, for messages; never the value itself. */
export function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return (
    { object: "an object", string: "a text", number: "a number", boolean: "a boolean" }[
      String(typeof value)
    ] ?? typeof value
  );
}

/** Returns whether PostgreSQL can store every text of a value: no NUL, no half of a surrogate pair. */
export function isStorable(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed() && !value.includes("\0");
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isStorable);
  if (isObject(value))
    return Object.entries(value).every(([name, each]) => isStorable(name) && isStorable(each));
  return true;
}

/** A name that a caller sent, at a length that fits a message. */
export function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
