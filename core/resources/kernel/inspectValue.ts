import type { TSchema } from "typebox";
import {
  asMap,
  isObject,
  isUuid,
  kindOf,
  nearestName,
  type NamedSchemas,
  openVariant,
  referredName,
} from "../../base/index.ts";

/** What is wrong with a part of a value. */
export interface Finding {
  readonly path: string;
  /** Words that follow the path, such as "must be a list". */
  readonly problem: string;
}

interface Inspection {
  /** The schemas to which references lead. */
  readonly schemas: NamedSchemas;
  /** Whether to report members that a schema does not name, unless the schema allows others. */
  readonly isStrict: boolean;
  /** The known value that each other word probably means, for hints. The keys are the other words. */
  readonly meanings?: ReadonlyMap<string, string>;
}

/** The parts of a JSON schema that `inspectValue` reads. */
interface Parts {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | TSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly [openVariant]?: true;
}

/** Maximum length of a name or value in a message. */
const shownLength = 60;
const shown = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? JSON.stringify(typeof value === "string" ? value.slice(0, shownLength) : value)
    : kindOf(value);

/**
 * Yields every difference between a JSON value and a schema, with its path. Members that are not in `required` may be
 * missing. An empty list counts as an empty object, because PHP clients write an empty list for an empty object. In a
 * union of objects with different constants in `type`, the value's own `type` selects the variant. O(size of the
 * value).
 */
export function* inspectValue(
  value: unknown,
  schema: TSchema,
  path: string,
  inspection: Inspection,
): Generator<Finding, void, undefined> {
  const name = referredName(schema);
  const referred = name === undefined ? undefined : inspection.schemas[name];
  if (name !== undefined && !referred) throw new TypeError(`there is no schema ${name}`);
  const parts: Parts = referred ?? schema;
  if (parts.anyOf) yield* inspectUnion(value, parts.anyOf, path, inspection);
  else if (parts.enum ?? "const" in parts) yield* inspectWord(value, parts, path, inspection);
  else if (parts.type === "array") yield* inspectList(value, parts, path, inspection);
  else if (parts.type === "object") yield* inspectObject(value, parts, path, inspection);
  else yield* inspectScalar(value, parts, path);
}

function* inspectWord(
  value: unknown,
  parts: Parts,
  path: string,
  inspection: Inspection,
): Generator<Finding> {
  const words = parts.enum ?? [parts.const];
  if (words.includes(value)) return;
  const meant = meantWord(value, words, inspection);
  const hint = meant === undefined ? "" : ` (did you mean ${meant}?)`;
  yield { path, problem: `must be one of ${words.join(", ")}, not ${shown(value)}${hint}` };
}

/**
 * Returns the word that a value probably stands for: a similar word, or a word that contains the value before or after
 * a hyphen.
 */
function meantWord(
  value: unknown,
  words: readonly unknown[],
  { meanings }: Inspection,
): string | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  const known = words.filter(isText);
  const word = value.toLowerCase();
  const listed = meanings?.get(word);
  if (listed !== undefined && known.includes(listed)) return listed;
  return (
    nearestName(word, known) ??
    known.find((each) => each.startsWith(`${word}-`) || each.endsWith(`-${word}`))
  );
}

const isText = (word: unknown): word is string => typeof word === "string";

function* inspectScalar(value: unknown, parts: Parts, path: string): Generator<Finding> {
  const { type, minimum, maximum, format } = parts;
  const expected = scalarName(parts);
  if (type === undefined || expected === undefined) return;
  const isRight = {
    string: typeof value === "string" && (format !== "uuid" || isUuid(value)),
    number: typeof value === "number",
    integer: Number.isInteger(value),
    boolean: typeof value === "boolean",
    null: value === null,
  }[type];
  if (isRight === false) yield { path, problem: `must be ${expected}` };
  else if (typeof value !== "number") return;
  else if (minimum !== undefined && value < minimum)
    yield { path, problem: `must be at least ${minimum}, not ${value}` };
  else if (maximum !== undefined && value > maximum)
    yield { path, problem: `must be at most ${maximum}, not ${value}` };
}

function scalarName({ type, format }: Parts): string | undefined {
  if (type === "string") return format === "uuid" ? "a UUID" : "a string";
  const names: Readonly<Record<string, string>> = {
    number: "a number",
    integer: "a whole number",
    boolean: "true or false",
    null: "null",
  };
  return names[type ?? ""];
}

function* inspectList(
  value: unknown,
  { items }: Parts,
  path: string,
  inspection: Inspection,
): Generator<Finding> {
  if (!Array.isArray(value)) {
    yield { path, problem: "must be a list" };
    return;
  }
  if (!items) return;
  for (let index = 0; index < value.length; index++)
    yield* inspectValue(value[index], items, `${path}[${index}]`, inspection);
}

function* inspectObject(
  value: unknown,
  parts: Parts,
  path: string,
  inspection: Inspection,
): Generator<Finding> {
  const map = asMap(value);
  if (!isObject(map)) {
    yield { path, problem: "must be an object" };
    return;
  }
  const { properties = {}, required = [], patternProperties, additionalProperties } = parts;
  for (const member of required)
    if (!Object.hasOwn(map, member)) yield { path: `${path}.${member}`, problem: "is missing" };
  const [ofAny] = Object.values(patternProperties ?? {});
  for (const [member, each] of Object.entries(map)) {
    const at = `${path}.${member.slice(0, shownLength)}`;
    const known = Object.hasOwn(properties, member) ? properties[member] : ofAny;
    if (known) yield* inspectValue(each, known, at, inspection);
    else if (inspection.isStrict && additionalProperties !== true)
      yield { path: at, problem: unknownMember(member, Object.keys(properties)) };
  }
}

function unknownMember(member: string, known: readonly string[]): string {
  const meant = nearestName(member, known);
  return meant === undefined
    ? `is unknown and has no effect; known members: ${known.join(", ") || "none"}`
    : `is unknown and has no effect; did you mean ${meant}?`;
}

function* inspectUnion(
  value: unknown,
  variants: readonly TSchema[],
  path: string,
  inspection: Inspection,
): Generator<Finding> {
  const resolved = variants.map((each): Parts => {
    const name = referredName(each);
    return (name === undefined ? undefined : inspection.schemas[name]) ?? each;
  });
  const typesOf = ({ properties = {} }: Parts): readonly unknown[] => {
    const { type }: { readonly type?: Parts } = properties;
    return type && "const" in type ? [type.const] : [];
  };
  const types = resolved.flatMap(typesOf);
  const map = asMap(value);
  if (types.length > 1 && isObject<"type">(map)) {
    const place = resolved.findIndex((each) => typesOf(each).includes(map.type));
    const variant = variants[place] ?? variants[resolved.findIndex((each) => each[openVariant])];
    if (place === -1)
      yield { path: `${path}.type`, problem: unknownType(map.type, types, inspection) };
    if (variant && (place !== -1 || typeof map.type === "string"))
      yield* inspectValue(value, variant, path, inspection);
    return;
  }
  let ofKind: readonly Finding[] | undefined;
  let first: readonly Finding[] | undefined;
  for (const [index, variant] of variants.entries()) {
    const found = [...inspectValue(value, variant, path, inspection)];
    if (found.length === 0) return;
    first ??= found;
    if (isOfKind(value, resolved[index])) ofKind ??= found;
  }
  const names = [...new Set(resolved.map(scalarName))];
  if (ofKind === undefined && !names.includes(undefined))
    yield { path, problem: `must be ${names.join(" or ")}` };
  else yield* ofKind ?? first ?? [];
}

/**
 * Returns whether a value has the kind that a schema describes, so that the problems with this schema are the most
 * informative.
 */
function isOfKind(value: unknown, { type, enum: words }: Parts = {}): boolean {
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  if (type === "integer") return typeof value === "number";
  return typeof value === type || (words !== undefined && typeof value === "string");
}

function unknownType(type: unknown, types: readonly unknown[], inspection: Inspection): string {
  const known = types.filter(isText).join(", ");
  if (type === undefined) return `is missing; types: ${known}`;
  const meant = meantWord(type, types, inspection);
  return `${shown(type)} is unknown; ${meant === undefined ? `types: ${known}` : `did you mean ${meant}?`}`;
}
