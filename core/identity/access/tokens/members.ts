import { ApiError, asMap, isObject } from "../../../base/index.ts";

export type Members = Readonly<Record<string, unknown>>;

export function invalid(path: string, problem: string): ApiError {
  return new ApiError("MEMBER_INVALID", [path, problem], { validation: { [path]: [problem] } });
}

/** Reads an object. With `known`, it may have only these members. @throws {ApiError} MEMBER_INVALID, MEMBER_UNKNOWN */
export function readObject(given: unknown, path: string, known?: readonly string[]): Members {
  const value = asMap(given);
  if (!isObject(value)) throw invalid(path, "must be an object");
  const unknown = known && Object.keys(value).find((member) => !known.includes(member));
  if (unknown !== undefined)
    throw new ApiError("MEMBER_UNKNOWN", [`${path}.${unknown.slice(0, 100)}`, known!.join(", ")]);
  return value;
}

/** Reads a list of at most `count` entries; absent and null are the empty one. */
export function readEntries(value: unknown, path: string, count: number): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalid(path, "must be a list");
  if (value.length > count) throw invalid(path, `must have at most ${count} entries`);
  return value;
}
