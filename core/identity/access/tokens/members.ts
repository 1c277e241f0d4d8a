import { ApiError, asMap, isObject, type Members } from "../../../base/index.ts";

/** Returns the error MEMBER_INVALID. `problem` follows the member's path in the message. */
export function invalid(path: string, problem: string): ApiError {
  return new ApiError("MEMBER_INVALID", [path, problem], { validation: { [path]: [problem] } });
}

/**
 * Reads an object. If `known` is given, the object must not have other members.
 * @throws {ApiError} MEMBER_INVALID, MEMBER_UNKNOWN
 */
export function readObject<Name extends string = never>(
  given: unknown,
  path: string,
  known?: readonly Name[],
): Members<Name> {
  const value = asMap(given);
  if (!isObject<Name>(value)) throw invalid(path, "must be an object");
  const unknown =
    known && Object.keys(value).find((member) => !known.some((each) => each === member));
  if (unknown !== undefined)
    throw new ApiError("MEMBER_UNKNOWN", [`${path}.${unknown.slice(0, 100)}`, known!.join(", ")]);
  return value;
}

/** Reads a list of at most `count` entries. Returns an empty list for null and for an absent value. */
export function readEntries(value: unknown, path: string, count: number): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalid(path, "must be a list");
  if (value.length > count) throw invalid(path, `must have at most ${count} entries`);
  return value;
}
