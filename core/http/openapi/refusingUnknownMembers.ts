import { isDeepStrictEqual } from "node:util";
import type { TSchema } from "typebox";
import {
  type Action,
  ApiError,
  isObject,
  nearestName,
  type ResourceHandlers,
  wrapHandlers,
} from "../../base/index.ts";
import type { Declaration } from "../../resources/index.ts";
import { inertMembers } from "./inertMembers.ts";
import { operationOf } from "./operationOf.ts";

/** The members that a value may have. Values that the API description leaves open are not checked. */
interface Known {
  /** The known members; absent for a list. */
  readonly members?: ReadonlyMap<string, Known | undefined>;
  readonly items?: Known;
}

/** The parts of a JSON schema that name members. */
interface SchemaParts {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
  readonly allOf?: readonly TSchema[];
  readonly type?: string;
  readonly additionalProperties?: boolean | TSchema;
}

const scalars = ["string", "number", "integer", "boolean", "null"];

/** Members that every body may contain. */
const envelope = ["action", "version", "key", "token"];
/** Members that client libraries send with every call. Empty values are accepted for any action. */
const emptyAllowed = ["properties", "find", "id", "resource", "associations", "options"];

/** Returns the members that a schema names; undefined if it allows any member. */
function knownIn(schema: TSchema): Known | undefined {
  const { properties, items, anyOf, allOf, type, additionalProperties }: SchemaParts = schema;
  if (additionalProperties === true) return undefined;
  if (properties) return { members: membersOf(properties) };
  if (items) {
    const inner = knownIn(items);
    return inner && { items: inner };
  }
  const parts = [...(anyOf ?? []), ...(allOf ?? [])].filter(
    (each: SchemaParts) => each.type === undefined || !scalars.includes(each.type),
  );
  if (type !== undefined || parts.length === 0) return undefined;
  const known = parts.map(knownIn);
  // A union with an open variant allows any member.
  if (known.includes(undefined)) return undefined;
  const entries = known.flatMap((each) => [...(each?.members ?? [])]);
  const inner = known.find((each) => each?.items)?.items;
  return {
    ...(entries.length > 0 && { members: new Map(entries) }),
    ...(inner && { items: inner }),
  };
}

function membersOf(
  properties: Readonly<Record<string, TSchema>>,
): ReadonlyMap<string, Known | undefined> {
  return new Map(Object.entries(properties).map(([name, schema]) => [name, knownIn(schema)]));
}

function isEmpty(value: unknown): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

function refuse(path: string, member: string, known: readonly string[]): never {
  const meant = nearestName(member, known);
  const named = `${path}${member.slice(0, 100)}`;
  const all = known.join(", ") || "none";
  const hint = meant === undefined ? all : `${all} (did you mean ${meant}?)`;
  throw new ApiError("MEMBER_UNKNOWN", [named, hint], {
    validation: { [named]: [`is unknown; known members: ${hint}`] },
  });
}

function check(value: unknown, known: Known, path: string, isInert: (path: string) => boolean) {
  if (Array.isArray(value)) {
    const { items } = known;
    if (items) value.forEach((each, index) => check(each, items, `${path}[${index}]`, isInert));
    return;
  }
  const { members } = known;
  if (!members || !isObject(value)) return;
  for (const [member, each] of Object.entries(value)) {
    const at = `${path}.${member}`;
    if (!members.has(member)) {
      if (isInert(at.replaceAll(/\[\d+\]/g, "[]"))) continue;
      refuse(`${path}.`, member, [...members.keys()]);
    }
    const inner = members.get(member);
    if (inner) check(each, inner, at, isInert);
  }
}

/**
 * Makes each action of a resource refuse body members that the API description does not name, at every level. Other
 * code, which knows more than the description, checks the `find` of records and queries, the properties of records, and
 * the members of links.
 */
export function refusingUnknownMembers(
  resource: string,
  handlers: ResourceHandlers,
  declarations: ReadonlyMap<string, Declaration>,
): ResourceHandlers {
  return wrapHandlers(handlers, (handler, action) => {
    const refuseIn = refusalOf(resource, action, declarations);
    return refuseIn
      ? async (call) => {
          refuseIn(call.body);
          return handler(call);
        }
      : handler;
  });
}

function refusalOf(
  resource: string,
  action: Action,
  declarations: ReadonlyMap<string, Declaration>,
): ((body: Readonly<Record<string, unknown>>) => void) | undefined {
  const operation = operationOf(resource, action, declarations);
  if (!operation) return undefined;
  const isRecord = declarations.has(resource);
  const members = new Map(membersOf(operation.members));
  // The parsers of searches and queries know more members than the API description, and report unknown members
  // themselves.
  if (isRecord || resource === "data") members.delete("find");
  // A validation reports what is wrong with the properties, instead of failing.
  if (isRecord && action === "validate") members.set("properties", undefined);
  const properties = members.get("properties")?.members;
  if (properties?.has("query")) {
    const others = new Map(properties).set("query", undefined);
    members.set("properties", { members: others });
  }
  const read = Object.keys(operation.members);
  // The Node SDKs send the same object as `properties` and as `resource`.
  const alias = action === "validate" ? "resource" : undefined;
  const inert = inertMembers[resource]?.[action] ?? {};
  const isInert = (path: string) => Object.hasOwn(inert, path);
  const inProperties = members.get("properties")?.members;
  const settable = isRecord ? undefined : inProperties;
  return (body) => {
    // Some clients send the properties of a service directly as members of the body.
    const isFlat = settable !== undefined && body["properties"] === undefined;
    const known = isFlat ? [...read, ...settable.keys()] : read;
    for (const [member, value] of Object.entries(body)) {
      if (envelope.includes(member) || isInert(member)) continue;
      if (member === alias) {
        const { properties = value } = body;
        if (isDeepStrictEqual(properties, value)) continue;
        throw new ApiError("MEMBER_INVALID", [
          member,
          "it is an alias of properties; send one of them, or the same object in both",
        ]);
      }
      if (!known.includes(member)) {
        if (emptyAllowed.includes(member) && isEmpty(value)) continue;
        refuse("", member, known);
      }
      const inner = members.get(member) ?? (isFlat ? settable.get(member) : undefined);
      if (!inner) continue;
      if (isRecord && member === "properties") checkInside(value, inner, isInert);
      else check(value, inner, member, isInert);
    }
  };
}

/**
 * Checks the members within the values of a record's properties. The declaration checks the names of the properties.
 */
function checkInside(value: unknown, known: Known, isInert: (path: string) => boolean): void {
  if (!isObject(value)) return;
  for (const [member, each] of Object.entries(value)) {
    const inner = known.members?.get(member);
    if (inner) check(each, inner, `properties.${member}`, isInert);
  }
}
