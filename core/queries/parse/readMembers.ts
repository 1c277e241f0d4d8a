import { ApiError, asMap, isObject, kindOf, type Members } from "../../base/index.ts";

/**
 * Returns an object after checking that all of its members are known.
 * @throws {ApiError} MEMBER_INVALID if it is not an object, MEMBER_UNKNOWN with the path of the first unknown member
 */
export function readMembers<Name extends string>(
  given: unknown,
  path: string,
  known: readonly Name[],
): Members<Name> {
  const value = asMap(given);
  if (!isObject<Name>(value))
    throw new ApiError("MEMBER_INVALID", [path, `it must be an object, not ${kindOf(value)}`]);
  for (const member of Object.keys(value))
    if (!known.some((each) => each === member))
      throw new ApiError("MEMBER_UNKNOWN", [
        memberPath(path, member.slice(0, 100)),
        known.join(", "),
      ]);
  return value;
}

/** Returns a list; an empty list for null and for an absent value. */
export function readList(value: unknown, path: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value))
    throw new ApiError("MEMBER_INVALID", [path, `it must be a list, not ${kindOf(value)}`]);
  return value;
}

export function readText(value: unknown, path: string): string {
  if (value === undefined || value === null)
    throw new ApiError("MEMBER_MISSING", [path, "a non-empty string"]);
  if (typeof value !== "string" || value === "")
    throw new ApiError("MEMBER_INVALID", [
      path,
      `it must be a non-empty string${value === "" ? "" : `, not ${kindOf(value)}`}`,
    ]);
  return value;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns an id, with UUIDs in lower case as the catalog stores them. */
export function readId(value: unknown, path: string): string {
  const id = readText(value, path);
  return uuid.test(id) ? id.toLowerCase() : id;
}

/** Quotes an unknown word for a message, truncated to 100 characters. */
export function quote(word: string): string {
  return JSON.stringify(word.slice(0, 100));
}

export function readBoolean(value: unknown, path: string, fallback: boolean): boolean {
  if (value === undefined || value === null) return fallback;
  if (typeof value !== "boolean")
    throw new ApiError("MEMBER_INVALID", [path, `it must be true or false, not ${kindOf(value)}`]);
  return value;
}

export function memberPath(path: string, member: string): string {
  return path === "" ? member : `${path}.${member}`;
}

/**
 * Returns whether a value requests nothing, in any of the forms that clients send: an absent or empty value, false, or
 * `{type: "none"}`.
 */
export function isNeutral(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") return true;
  return isEmpty(value) || (isObject<"type">(value) && value.type === "none");
}

/** Returns whether a value is an object without members, including the empty list that PHP writes. */
export function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
