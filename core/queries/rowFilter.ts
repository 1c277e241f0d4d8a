import type { RowFilter } from "../access/principal.ts";
import { ApiError } from "../errors.ts";
import type { Filter } from "../../plugins/protocol/index.ts";
import { bindConditions } from "./bindConditions.ts";
import { defaultLimits } from "./limits.ts";
import { readMembers, readText } from "./members.ts";
import { isParameter, resolveParameter, type Parameters } from "./parameters.ts";
import { parseConditions } from "./parseCondition.ts";
import type { QueriedColumn } from "./queriedDataset.ts";

const members = ["clause", "origin", "securable_id", "column_id", "expression", "value"];

/**
 * Reads one row-level filter: `{clause: "where", origin: "global", securable_id, column_id, expression, value}`;
 * clause and origin may be left out.
 * @throws {ApiError} MEMBER_UNKNOWN, MEMBER_MISSING, MEMBER_INVALID with the path of the member
 */
export function parseRowFilter(value: unknown, path: string): RowFilter {
  const given = readMembers(value, path, members);
  const fixed = { clause: "where", origin: "global" } as const;
  for (const [member, wanted] of Object.entries(fixed))
    if ((given[member] ?? wanted) !== wanted)
      throw new ApiError("MEMBER_INVALID", [
        `${path}.${member}`,
        `a filter on rows has ${wanted}, and is applied to every query of its dataset`,
      ]);
  return {
    ...fixed,
    securable_id: readText(given["securable_id"], `${path}.securable_id`).toLowerCase(),
    column_id: readText(given["column_id"], `${path}.column_id`).toLowerCase(),
    expression: readText(given["expression"], `${path}.expression`),
    ...(given["value"] !== undefined && { value: given["value"] }),
  };
}

/**
 * Compiles a row-level filter to tests of the plugin's column, all of which must hold. A cleared parameter
 * gives none; a list without values gives tests that no row passes, whatever the operator.
 * @throws {ApiError} MEMBER_MISSING for a parameter without value and default; MEMBER_INVALID, MEMBER_UNKNOWN,
 * QUERY_NOT_SERVED for what cannot be tested. Whoever answers a query refuses it then.
 */
export function compileRowFilter(
  filter: RowFilter,
  column: QueriedColumn | undefined,
  parameters: Parameters,
  path: string,
): readonly Filter[] {
  if (!column || column.unserved !== undefined)
    throw new ApiError("MEMBER_INVALID", [
      `${path}.column_id`,
      column ? `it is ${column.unserved}` : "the dataset has no such column",
    ]);
  const resolved = isParameter(filter.value)
    ? resolveParameter(filter.value, parameters, `${path}.value`)
    : { value: filter.value, scalarType: column.type };
  if (!resolved) return [];
  if (resolved.scalarType !== column.type)
    throw new ApiError("MEMBER_INVALID", [`${path}.value.type`, `the column is ${column.type}`]);
  const { value } = resolved;
  const test = {
    expression: filter.expression,
    parameters: [{ column_id: column.id, dataset_id: filter.securable_id }, value],
  };
  const conditions = parseConditions([test], path, defaultLimits);
  const bound = { columnId: column.id, column, level: undefined, aggregation: undefined };
  const tests = bindConditions(
    conditions,
    () => ({ ...bound, type: column.type }),
    (_reference, expression, cells): Filter => ({
      column_id: column.pluginId,
      expression,
      ...(cells && { value: cells }),
    }),
  );
  return Array.isArray(value) && value.length === 0 ? noRows(column) : tests;
}

/** No value is null and not null: plain tests, since groups are not offered by every plugin. */
function noRows({ pluginId }: QueriedColumn): readonly Filter[] {
  return [
    { column_id: pluginId, expression: "is null" },
    { column_id: pluginId, expression: "is not null" },
  ];
}

/** Tells whether the value of a filter is a parameter that stands open, so that tokens have to fill it. */
export function isOpenParameter({ value }: RowFilter): boolean {
  return isParameter(value) && (value["value"] === undefined || value["value"] === null);
}
