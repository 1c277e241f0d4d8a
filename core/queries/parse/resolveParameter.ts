import { ApiError, memberNames, type Members, type ParameterOverride } from "../../base/index.ts";
import { quote, readMembers, readText } from "./readMembers.ts";
import { parameterTypes } from "./parameterTypes.ts";
import { parseInstant } from "./parseInstant.ts";
import { FilterParameter } from "./rowFilterSchemas.ts";

/** The parameters of the caller's token, by name without prefix. */
export type Parameters = ReadonlyMap<string, ParameterOverride>;

/** A parameter `{parameter, type, value?}` in place of a value. */
export type ParameterValue = Members<"value"> & { readonly parameter: unknown };

const parameterMembers = memberNames(FilterParameter);

export function isParameter(value: unknown): value is ParameterValue {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "parameter");
}

/**
 * Resolves a parameter: the override of the caller's token, or else its default. Returns undefined if the token clears
 * the parameter, which removes the test. `scalarType` is the type of the value, or of the values in the list. Messages
 * never contain a value.
 * @throws {ApiError} MEMBER_MISSING without a value and default; MEMBER_INVALID, MEMBER_UNKNOWN
 */
export function resolveParameter(
  given: ParameterValue,
  parameters: Parameters,
  path: string,
): { readonly value: unknown; readonly scalarType: string } | undefined {
  const members = readMembers(given, path, parameterMembers);
  const name = readText(members.parameter, `${path}.parameter`);
  const { type } = members;
  if (typeof type !== "string" || !parameterTypes.some((each) => each === type))
    throw new ApiError("MEMBER_INVALID", [
      `${path}.type`,
      `it must be one of ${parameterTypes.join(", ")}`,
    ]);
  const override = parameters.get(name.replace(/^metadata\./, ""));
  if (override?.clear) return undefined;
  const value = override ? override.value : members.value;
  if (value === undefined || value === null)
    throw new ApiError("MEMBER_MISSING", [
      `${path}.value`,
      `the parameter ${quote(name)} has no value and no default; set it in metadata or parameter_overrides of the token or its user`,
    ]);
  if (!isOfType(value, type))
    throw new ApiError("MEMBER_INVALID", [
      `${path}.value`,
      `the parameter ${quote(name)} must be ${type}`,
    ]);
  return { value, scalarType: type.replace(/^array\[(.+)\]$/, "$1") };
}

const samples: Readonly<Record<string, unknown>> = {
  hierarchy: "",
  numeric: 0,
  datetime: "2000-01-01T00:00:00.000Z",
};

/**
 * Returns a sample value of a parameter's type, such as 0 for `numeric`, with which a filter can be checked before the
 * parameter has a value; undefined for an unknown type.
 */
export function sampleOf(type: unknown): unknown {
  const [, element, scalar] = /^(?:array\[(.+)\]|(.+))$/.exec(String(type)) ?? [];
  return element === undefined ? samples[scalar ?? ""] : [samples[element]];
}

function isOfType(value: unknown, type: string): boolean {
  const element = /^array\[(.+)\]$/.exec(type)?.[1];
  if (element !== undefined)
    return Array.isArray(value) && value.every((each) => each === null || isOfType(each, element));
  if (type === "numeric") return typeof value === "number" && Number.isFinite(value);
  if (typeof value !== "string") return false;
  return type === "hierarchy" || !Number.isNaN(parseInstant(value));
}
