import { ApiError, asMap, isObject, kindOf, nearestName } from "../../../base/index.ts";
import { problemOf } from "../accept.ts";
import type { Link } from "../association.ts";
import type { Declaration } from "../declaration.ts";
import type { Fields, Values } from "../field.ts";
import { findAssociation } from "../findAssociation.ts";
import { shorten } from "../shorten.ts";
import { expectId } from "../kernelCall.ts";
import { associable, type Associable } from "../policy.ts";

/** A parsed `resource` member of a body: the association, the other record, and the members of the link. */
export interface ParsedLink {
  readonly association: Associable;
  /** Name of the association. */
  readonly role: string;
  readonly otherId: unknown;
  readonly values: Values;
  /** Path of the members of the link in the body. */
  readonly path: string;
}

/** Where a body contains the other record of a link, and the members of the link. */
export interface LinkPaths {
  readonly resource: string;
  readonly link: string;
}

/**
 * Refuses filters on links to records that have no rows, because ignoring the filters would share more than the caller
 * intends.
 */
function refuseUnserved(given: Values, fields: Fields, path: string): void {
  const { filters } = given;
  if (Object.hasOwn(fields, "filters") || filters === undefined || filters === null) return;
  if (Array.isArray(filters) && filters.length === 0) return;
  throw new ApiError("MEMBER_INVALID", [
    `${path}.filters`,
    "must be omitted: only tokens, the embedfiltergroup and shares of datasets can have row filters",
  ]);
}

/**
 * Refuses members that a link does not have. They are accepted if empty (false, null or an empty list), because clients
 * send the same flags with every link.
 * @throws {ApiError} MEMBER_UNKNOWN
 */
function refuseUnread(given: Values, known: readonly string[], path: string): void {
  for (const [member, value] of Object.entries(given)) {
    const hasNoEffect =
      value === false || value === null || (Array.isArray(value) && value.length === 0);
    if (known.includes(member) || hasNoEffect) continue;
    const meant = nearestName(member, known);
    const hint = meant === undefined ? "" : ` (did you mean ${meant}?)`;
    throw new ApiError("MEMBER_UNKNOWN", [
      `${path}.${shorten(member)}`,
      `${known.join(", ") || "none for this association"}${hint}`,
    ]);
  }
}

function readLinkProperties(sent: unknown, path: string): Values {
  const properties = asMap(sent);
  if (properties !== undefined && properties !== null && !isObject(properties))
    throw new ApiError("MEMBER_INVALID", [path, `must be an object, not ${kindOf(properties)}`]);
  return properties ?? {};
}

function parseLinkValues(
  { flags = [], usualFlag, choice, fields = {}, inert = [] }: Link,
  given: Values,
  path: string,
): Values {
  refuseUnserved(given, fields, path);
  const chosen = choice ? [choice.member] : [];
  refuseUnread(given, [...flags, ...chosen, ...Object.keys(fields), ...inert], path);
  const valueOf = (member: string) => (Object.hasOwn(given, member) ? given[member] : undefined);
  const values: Record<string, unknown> = {};
  const isNamed = flags.some((name) => valueOf(name) !== undefined);
  let highest = isNamed || usualFlag === undefined ? 0 : flags.indexOf(usualFlag);
  for (const [index, name] of flags.entries()) {
    const value = valueOf(name) ?? false;
    if (typeof value !== "boolean")
      throw new ApiError("MEMBER_INVALID", [
        `${path}.${name}`,
        `must be true or false, not ${kindOf(value)}`,
      ]);
    if (value) highest = index;
  }
  for (const [index, name] of flags.entries()) values[name] = index <= highest;
  if (choice) {
    const value = valueOf(choice.member) ?? choice.values[0];
    if (typeof value !== "string" || !choice.values.includes(value))
      throw new ApiError("MEMBER_INVALID", [
        `${path}.${choice.member}`,
        `must be one of ${choice.values.join(", ")}`,
      ]);
    values[choice.member] = value;
  }
  for (const [member, field] of Object.entries(fields)) {
    if (field.stays && valueOf(member) === undefined) continue;
    const value = valueOf(member) ?? field.default ?? null;
    const problem = value === null && !field.required ? undefined : problemOf(field, value);
    if (problem !== undefined) throw new ApiError("MEMBER_INVALID", [`${path}.${member}`, problem]);
    values[member] = field.convert && value !== null ? field.convert(value) : value;
  }
  return values;
}

/**
 * Parses `{role, id}` and the properties of a link.
 * @throws {ApiError} MEMBER_MISSING, MEMBER_INVALID, ROLE_UNKNOWN
 */
export function parseLink(
  declaration: Declaration,
  resource: unknown,
  properties: unknown,
  { resource: path, link }: LinkPaths,
): ParsedLink {
  if (!isObject(resource)) {
    const code = resource === undefined ? "MEMBER_MISSING" : "MEMBER_INVALID";
    throw new ApiError(code, [path, "an object with role and id"]);
  }
  const { role, id } = resource;
  if (typeof role !== "string")
    throw new ApiError("MEMBER_MISSING", [`${path}.role`, "the name of an association"]);
  const offered = associable(declaration);
  const found = findAssociation(offered, role);
  if (!found) {
    const names = offered.map(([name]) => name).join(", ");
    throw new ApiError("ROLE_UNKNOWN", [declaration.name, shorten(role), names]);
  }
  const [name, association] = found;
  const given = readLinkProperties(properties, link);
  if (association.kind !== "through") refuseUnread(given, [], link);
  const values =
    association.kind === "through" ? parseLinkValues(association.link, given, link) : {};
  return {
    association,
    role: name,
    otherId: expectId(id, `${path}.id`, association.resource),
    values,
    path: link,
  };
}
