import { ApiError, isObject, kindOf } from "../../../base/index.ts";
import type { Declaration } from "../declaration.ts";
import { limits } from "../limits.ts";
import { parseLink, type ParsedLink } from "./parseLink.ts";

/**
 * Parses a list of links, each `{role, id, properties}`. Absent is an empty list. Some clients send `{}` instead.
 * `path` is the member that contains the list.
 * @throws {ApiError} MEMBER_MISSING, MEMBER_INVALID, ROLE_UNKNOWN
 */
export function parseLinks(
  declaration: Declaration,
  list: unknown,
  path: string,
): readonly ParsedLink[] {
  const given = list ?? [];
  if (isObject(given) && Object.keys(given).length === 0) return [];
  if (!Array.isArray(given) || given.length > limits.associationCount)
    throw new ApiError("MEMBER_INVALID", [
      path,
      `must be a list of at most ${limits.associationCount} {role, id}, not ${Array.isArray(given) ? "a longer list" : kindOf(given)}`,
    ]);
  return given.map((each, index) => {
    const properties = isObject<"properties">(each) ? each.properties : undefined;
    const at = `${path}[${index}]`;
    return parseLink(declaration, each, properties, { resource: at, link: `${at}.properties` });
  });
}
