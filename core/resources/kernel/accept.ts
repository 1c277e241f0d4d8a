import Value from "typebox/value";
import { ApiError, type ApiErrorCode } from "../../errors.ts";
import type { Declaration } from "./declaration.ts";
import type { Field, Fields, Values, ValuesOf } from "./field.ts";
import { asMap, isObject, kindOf } from "../../json/index.ts";
import { isStorable } from "./isStorable.ts";
import { limits } from "./limits.ts";

/** The result of checking the properties of a call. */
export interface Inspection {
  /** The members that may be set on the action, converted. Response-only and unknown ones are left out. */
  readonly values: Values;
  readonly refusal: ApiError | undefined;
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

/** Returns whether a list or object has more entries than allowed. Stops counting at the limit. */
function hasTooMany(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > limits.entryCount;
  let count = 0;
  if (isObject(value)) for (const _ in value) if (++count > limits.entryCount) return true;
  return false;
}

/** Characters of a value that a message shows at most. */
const shownLength = 40;

/** Shows a short text that is none of the choices of a member, and names the kind of anything else. */
function given({ storage, secret, sealed }: Field, value: unknown): string {
  const isShown = storage === "text" && !secret && !sealed && typeof value === "string";
  return isShown && value.length <= shownLength ? JSON.stringify(value) : kindOf(value);
}

/** Says what is wrong with a value, as words that follow the member's name; undefined when nothing is. */
export function problemOf(field: Field, value: unknown): string | undefined {
  if (value === null) return field.nullable ? undefined : `must be ${field.expects}, not null`;
  if (hasTooMany(value)) return `must have at most ${limits.entryCount} entries`;
  if (!Value.Check(field.schema, value))
    return `must be ${field.expects}, not ${given(field, value)}`;
  if (!isStorable(value))
    return "must not contain NUL, half of a surrogate pair or an infinite number";
  const tooLong = lengthProblem(field, value);
  if (tooLong !== undefined) return tooLong;
  const complaint = field.check?.(value);
  return complaint === undefined ? undefined : `must ${complaint}`;
}

/**
 * The value of a member as it was sent; an empty list is an empty object for a member that takes objects and no lists.
 */
function read({ schema }: Field, value: unknown): unknown {
  const isEmptyList = Array.isArray(value) && value.length === 0;
  if (!isEmptyList || Value.Check(schema, value)) return value;
  return Value.Check(schema, asMap(value)) ? asMap(value) : value;
}

/** Holds the properties of a call against the declaration; partial ones may lack required members. */
export function inspect(
  declaration: Declaration,
  action: "create" | "update" | "delete",
  given: unknown,
  isPartial = action !== "create",
): Inspection {
  const properties = asMap(given);
  const values: Record<string, unknown> = {};
  const fields = { ...declaration.fields, ...declaration.inputs };
  const isNeedless = Object.values(fields).every(({ required }) => !required);
  if (properties === undefined && action === "create" && isNeedless)
    return inspect(declaration, action, {}, isPartial);
  if (!isObject(properties)) {
    const code = properties === undefined ? "MEMBER_MISSING" : "MEMBER_INVALID";
    const text =
      properties === undefined ? "an object" : `must be an object, not ${kindOf(properties)}`;
    return { values, refusal: new ApiError(code, ["properties", text]) };
  }
  const validation: Record<string, string[]> = {};
  let first: [ApiErrorCode, string, string] | undefined;
  const refuse = (code: ApiErrorCode, member: string, problem: string) => {
    validation[member] = [problem];
    first ??= [code, `properties.${member}`, problem];
  };
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
 * The accepted members of a create or update.
 * @throws {ApiError} MEMBER_MISSING, MEMBER_INVALID with every problem in `validation`
 */
export function accept<Of extends Fields, Inputs extends Fields>(
  declaration: Declaration<Of, Inputs>,
  action: "create" | "update" | "delete",
  properties: unknown,
): ValuesOf<Of & Inputs> {
  const { values, refusal } = inspect(declaration, action, properties);
  if (refusal) throw refusal;
  // Each value fits the schema of its field.
  return values as ValuesOf<Of & Inputs>;
}
