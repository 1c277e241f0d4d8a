import type { RowFilter } from "../../base/index.ts";
import { isParameter, resolveParameter, type Parameters } from "../parse/resolveParameter.ts";

/** Returns whether the value of a filter is a parameter without a default, for which tokens must supply a value. */
export function isOpenParameter({ value }: RowFilter): boolean {
  return isParameter(value) && (value.value === undefined || value.value === null);
}

/**
 * Replaces the parameter of a filter with its value. Undefined if `parameters` clear the parameter.
 * @throws {ApiError} MEMBER_MISSING without a value and default; MEMBER_INVALID, MEMBER_UNKNOWN
 */
export function fillParameter(
  filter: RowFilter,
  parameters: Parameters,
  path: string,
): RowFilter | undefined {
  if (!isParameter(filter.value)) return filter;
  const resolved = resolveParameter(filter.value, parameters, `${path}.value`);
  return resolved && { ...filter, value: resolved.value };
}
