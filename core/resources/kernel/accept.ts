import Value from "typebox/value";
import { ApiError, type ApiErrorCode } from "../../errors.ts";
import type { Declaration, Field, Values } from "./declaration.ts";
import { isObject, isStorable, kindOf } from "./json.ts";

/** What was found in the properties of a call. */
export interface Inspection {
  /** The members that may be set on the action, converted. Response-only and unknown ones are left out. */
  readonly values: Values;
  readonly refusal: ApiError | undefined;
}

function problemOf(field: Field, value: unknown): string | undefined {
  if (value === null) return field.nullable ? undefined : `must be ${field.expects}, not null`;
  if (!Value.Check(field.schema, value)) return `must be ${field.expects}, not ${kindOf(value)}`;
  if (!isStorable(value))
    return "must not contain NUL, half of a surrogate pair or an infinite number";
  const complaint = field.check?.(value);
  return complaint === undefined ? undefined : `must ${complaint}`;
}

/** Holds the properties of a create or update against the declaration; partial ones may lack required members. */
export function inspect(
  declaration: Declaration,
  action: "create" | "update",
  properties: unknown,
  isPartial = action === "update",
): Inspection {
  const values: Record<string, unknown> = {};
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
  for (const [member, field] of Object.entries(declaration.fields)) {
    if (!field.on.includes(action)) continue;
    const value = Object.hasOwn(properties, member) ? properties[member] : undefined;
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

/** The accepted members of a create or update. @throws {ApiError} MEMBER_MISSING, MEMBER_INVALID with every problem in `validation` */
export function accept(
  declaration: Declaration,
  action: "create" | "update",
  properties: unknown,
): Values {
  const { values, refusal } = inspect(declaration, action, properties);
  if (refusal) throw refusal;
  return values;
}
