import type { RowFilter } from "../../contracts/index.ts";
import { isParameter, resolveParameter, type Parameters } from "../parse/resolveParameter.ts";

/** Tells whether the value of a filter is a parameter that stands open, so that tokens have to fill it. */
export function isOpenParameter({ value }: RowFilter): boolean {
  return isParameter(value) && (value["value"] === undefined || value["value"] === null);
}

/**
 * Puts the value of a filter's parameter in its place; undefined when `parameters` clear it.
 * @throws {ApiError} MEMBER_MISSING without value and default; MEMBER_INVALID, MEMBER_UNKNOWN
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
