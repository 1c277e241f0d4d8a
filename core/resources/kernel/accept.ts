import { isDeepStrictEqual } from "node:util";
import Value from "typebox/value";
import {
  ApiError,
  type ApiErrorCode,
  asMap,
  isObject,
  kindOf,
  nearestName,
} from "../../base/index.ts";
import type { Declaration } from "./declaration.ts";
import type { Field, Fields, Values, ValuesOf } from "./field.ts";
import { isStorable } from "./isStorable.ts";
import { limits } from "./limits.ts";
import { shorten } from "./shorten.ts";

type PropertiesAction = "create" | "update" | "delete";

/** The result of checking the properties of a call. */
export interface Inspection {
  /** The converted members that the action may set. */
  readonly values: Values;
  readonly refusal: ApiError | undefined;
}

/** Options for checking the properties of a call. */
export interface InspectOptions {
  /** Whether required members may be missing. */
  readonly isPartial?: boolean;
  /**
   * The record that is updated, as the caller sees it. A member that the caller cannot set is accepted if it repeats
   * the record's value.
   */
  readonly record?: Values | undefined;
  /** Called with the name of each unknown member that is accepted. */
  readonly note?: ((attribute: string) => void) | undefined;
}

function lengthProblem(field: Field, value: unknown): string | undefined {
  const { length = limits.textLength } = field;
  const isByLanguage = field.isMultilingual === true && isObject(value);
  const texts = isByLanguage ? Object.entries(value).flat() : [value];
  if (isByLanguage && texts.length > 2 * limits.languageCount)
    return `must have at most ${limits.languageCount} languages`;
  return texts.some((text) => typeof text === "string" && text.length > length)
    ? `must have at most ${length} characters`
    : undefined;
}

/** Returns whether a list or object has more than `limits.entryCount` entries. Stops counting at the limit. */
function hasTooMany(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > limits.entryCount;
  let count = 0;
  if (isObject(value)) for (const _ in value) if (++count > limits.entryCount) return true;
  return false;
}

/** Maximum length of a value shown in a message. */
const shownLength = 40;

/**
 * Describes a value for a message. Quotes a short string that is not one of the allowed choices; describes any other
 * value by its kind.
 */
function given({ storage, secret, sealed }: Field, value: unknown): string {
  const isShown = storage === "text" && !secret && !sealed && typeof value === "string";
  return isShown && value.length <= shownLength ? JSON.stringify(value) : kindOf(value);
}

/** Returns the problem with a value, as words that follow the member's name; undefined for a valid value. */
export function problemOf(field: Field, value: unknown): string | undefined {
  if (value === null) return field.nullable ? undefined : `must be ${field.expects}, not null`;
  if (hasTooMany(value)) return `must have at most ${limits.entryCount} entries`;
  if (!Value.Check(field.schema, value))
    return `must be ${field.expects}, not ${given(field, value)}`;
  if (!isStorable(value)) return "must not contain NUL, unpaired surrogates or infinite numbers";
  const tooLong = lengthProblem(field, value);
  if (tooLong !== undefined) return tooLong;
  const complaint = field.check?.(value);
  return complaint === undefined ? undefined : `must ${complaint}`;
}

/** Returns the value of a member. An empty list becomes an empty object if the member accepts only objects. */
function read({ schema }: Field, value: unknown): unknown {
  const isEmptyList = Array.isArray(value) && value.length === 0;
  if (!isEmptyList || Value.Check(schema, value)) return value;
  return Value.Check(schema, asMap(value)) ? asMap(value) : value;
}

/** Returns a message that says why an action cannot set a member, and what the caller can do instead. */
function unsettable(declaration: Declaration, member: string, field: Field | undefined): string {
  const [other] = field?.on ?? [];
  if (other !== undefined) return `only ${other} can set it; omit it`;
  if (field?.setBy !== undefined) return `${field.setBy}; omit it`;
  const { associations, actions } = declaration;
  const role = Object.entries(associations).find(
    ([, each]) => each.kind === "one" && each.key === member && each.roles !== undefined,
  )?.[0];
  if (role !== undefined && actions.includes("associate"))
    return `the host sets it; omit it, and associate the record through the role ${role}`;
  return "only the host sets it; omit it";
}

/**
 * Returns whether a member that the action cannot set repeats the record's value, so that accepting it ignores nothing.
 * Clients send whole records back, so an instant that the host sets may also be outdated.
 */
function statesRecord(
  action: PropertiesAction,
  [member, value]: readonly [string, unknown],
  field: Field | undefined,
  record: Values | undefined,
): boolean {
  if (action === "create")
    return value === null || (field !== undefined && isDeepStrictEqual(value, field.default));
  if (field?.storage === "timestamp with time zone" && field.on.length === 0) return true;
  if (record === undefined || !Object.hasOwn(record, member)) return value === null;
  return isDeepStrictEqual(JSON.parse(JSON.stringify(record[member] ?? null)), value);
}

/** Returns whether the properties contain a member of the record that the action cannot set. */
export function holdsUnsettable(
  { fields, computed }: Declaration,
  action: PropertiesAction,
  given: unknown,
): boolean {
  return (
    isObject(given) &&
    Object.keys(given).some((member) => {
      if (Object.hasOwn(fields, member)) return !fields[member]?.on.includes(action);
      return Object.hasOwn(computed?.schemas ?? {}, member);
    })
  );
}

/** Refuses each member of the properties that the action does not accept. */
function refuseUnread(
  declaration: Declaration,
  action: PropertiesAction,
  properties: Values,
  { record, note }: InspectOptions,
  refuse: (code: ApiErrorCode, member: string, problem: string) => void,
): void {
  const { name, fields, inputs, inert = {}, computed } = declaration;
  const known: Readonly<Record<string, Field>> = { ...fields, ...inputs };
  const settable = Object.keys(known).filter((each) => known[each]?.on.includes(action));
  for (const entry of Object.entries(properties)) {
    const [member] = entry;
    const field =
      Object.hasOwn(known, member) && !known[member]?.hidden ? known[member] : undefined;
    if (field?.on.includes(action) || Object.hasOwn(inert, member)) continue;
    if (field || Object.hasOwn(computed?.schemas ?? {}, member)) {
      if (!statesRecord(action, entry, field, record))
        refuse("MEMBER_INVALID", member, unsettable(declaration, member, field));
      continue;
    }
    const meant = nearestName(member, settable);
    const isAccepted = action === "create" && declaration.acceptsUnknown?.(properties, member);
    if (isAccepted === true && meant === undefined) {
      note?.(`${name}.${member}`);
      continue;
    }
    const hint = meant === undefined ? "" : ` (did you mean ${meant}?)`;
    refuse("MEMBER_UNKNOWN", member, `${settable.join(", ") || "none"}${hint}`);
  }
}

/** Checks the properties of a call against the declaration, and refuses members that the action does not accept. */
export function inspect(
  declaration: Declaration,
  action: PropertiesAction,
  given: unknown,
  options: InspectOptions = {},
): Inspection {
  const { isPartial = action !== "create" } = options;
  const properties = asMap(given);
  const values: Record<string, unknown> = {};
  const fields = { ...declaration.fields, ...declaration.inputs };
  const isNeedless = Object.values(fields).every(({ required }) => !required);
  if (properties === undefined && action === "create" && isNeedless)
    return inspect(declaration, action, {}, options);
  if (!isObject(properties)) {
    const code = properties === undefined ? "MEMBER_MISSING" : "MEMBER_INVALID";
    const text =
      properties === undefined ? "an object" : `must be an object, not ${kindOf(properties)}`;
    return { values, refusal: new ApiError(code, ["properties", text]) };
  }
  const validation: Record<string, string[]> = {};
  let first: [ApiErrorCode, string, string] | undefined;
  const refuse = (code: ApiErrorCode, member: string, problem: string) => {
    const named = shorten(member);
    validation[named] = [
      code === "MEMBER_UNKNOWN" ? `is unknown; known members: ${problem}` : problem,
    ];
    first ??= [code, `properties.${named}`, problem];
  };
  // Report unknown members first, because a misspelt name explains why a required member is missing.
  refuseUnread(declaration, action, properties, options, refuse);
  for (const [member, field] of Object.entries(fields)) {
    if (!field.on.includes(action)) continue;
    const value = Object.hasOwn(properties, member) ? read(field, properties[member]) : undefined;
    if (value === undefined) {
      if (!isPartial && field.required) refuse("MEMBER_MISSING", member, field.expects);
      continue;
    }
    const problem = problemOf(field, value);
    if (problem !== undefined) refuse("MEMBER_INVALID", member, problem);
    else values[member] = value === null ? null : field.convert ? field.convert(value) : value;
  }
  if (!first) return { values, refusal: undefined };
  const [code, ...details] = first;
  return { values, refusal: new ApiError(code, details, { validation }) };
}

/**
 * Checks the properties of a create, update or delete, and returns the accepted members.
 * @throws {ApiError} MEMBER_MISSING, MEMBER_INVALID, MEMBER_UNKNOWN with every problem in `validation`
 */
export function accept<Of extends Fields, Inputs extends Fields>(
  declaration: Declaration<Of, Inputs>,
  action: PropertiesAction,
  properties: unknown,
  options: InspectOptions = {},
): ValuesOf<Of & Inputs> {
  const { values, refusal } = inspect(declaration, action, properties, options);
  if (refusal) throw refusal;
  // The cast is safe, because each value was checked against the schema of its field.
  return values as ValuesOf<Of & Inputs>;
}
