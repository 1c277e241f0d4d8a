import { ApiError, type RowFilter } from "../../base/index.ts";
import type { Filter, ColumnFilter } from "../../../plugins/protocol/index.ts";
import { bindConditions } from "../resolve/bindConditions.ts";
import { clockIn, type Now } from "../resolve/clock.ts";
import type { BoundReference } from "../resolve/boundReference.ts";
import { defaultLimits } from "../limits.ts";
import { readId, readMembers } from "../parse/readMembers.ts";
import { isParameter, resolveParameter, type Parameters } from "../parse/resolveParameter.ts";
import { compareColumns, type Compared } from "../resolve/compareColumns.ts";
import { mentionsColumn } from "../parse/parseColumnTest.ts";
import { parseColumns, parseTest } from "../parse/parseTest.ts";
import type { QueriedColumn } from "../queriedDataset.ts";
import type { Condition, Reference } from "../parsedQuery.ts";
import type { RowColumns } from "./createRowColumns.ts";

/** The columns, the parameters and the instant with which the row filters of a dataset are compiled. */
export interface RowFilterScope {
  readonly columns: Omit<RowColumns, "derived">;
  readonly parameters: Parameters;
  /** The instant of the call. Row filters use UTC, whatever the time zone of the query. */
  readonly now: Now;
}

/**
 * Compiles a row filter to tests of the plugin's columns. A row must pass all of these tests. A cleared parameter
 * results in no test. An empty list results in tests that no row passes, whatever the operator. Messages never contain
 * a value.
 * @throws {ApiError} MEMBER_MISSING for a parameter without a value or default; MEMBER_INVALID, MEMBER_UNKNOWN or
 * QUERY_NOT_SERVED for a filter that cannot be applied. The query must then fail
 */
export function compileRowFilter(
  filter: RowFilter,
  { columns, parameters, now }: RowFilterScope,
  path: string,
): readonly Filter[] {
  const at = `${path}.value`;
  const columnOf = (id: string, member: string): QueriedColumn => {
    const column = columns.columnOf(id, member);
    if (column && column.unserved === undefined) return column;
    throw new ApiError("MEMBER_INVALID", [
      member,
      column
        ? `a row filter cannot use ${column.unserved}; choose another column`
        : "the dataset has no such column",
    ]);
  };
  const column = columnOf(filter.column_id, `${path}.column_id`);
  const resolved = isParameter(filter.value)
    ? resolveParameter(filter.value, parameters, at)
    : { value: filter.value, scalarType: column.type };
  if (!resolved) return [];
  if (resolved.scalarType !== column.type)
    throw new ApiError("MEMBER_INVALID", [
      `${at}.type`,
      `it must have the type of the column, ${column.type}`,
    ]);
  const { value } = resolved;
  const reference: Reference = {
    path: `${path}.column_id`,
    columnId: column.id,
    datasetId: filter.securable_id,
    level: undefined,
    aggregation: undefined,
  };
  const isOfColumns = mentionsColumn(value);
  const condition = isOfColumns
    ? parseRowColumnTest(filter, path)
    : parseTest(
        { expression: filter.expression, reference, value, path, valuePath: at },
        defaultLimits,
      );
  if ("relative" in condition && condition.relative === "last_available")
    throw new ApiError("QUERY_NOT_SERVED", [
      `${path}.expression`,
      "a row filter cannot use last_available; use last_now",
    ]);
  const bound: BoundReference = {
    columnId: column.id,
    column,
    level: undefined,
    aggregation: undefined,
    type: column.type,
  };
  const tests = bindConditions<ColumnFilter>(
    [condition],
    ({ columnId, path: member }) => {
      if (columnId === column.id) return bound;
      const other = columnOf(columnId, member);
      return { ...bound, columnId: other.id, column: other, type: other.type };
    },
    ({ column: tested = column }, expression, cells): Filter => ({
      column_id: tested.pluginId,
      expression,
      ...(cells && { value: cells }),
    }),
    clockIn("UTC", now),
    (test) => {
      const sides = test.operands.map((each): Compared => {
        if (!("reference" in each)) return each;
        const { type, ...other } = columnOf(each.reference.columnId, each.reference.path);
        const expression = columns.expressionOf({ ...other, type });
        const isDate = other.subtype === "date";
        return { type, isDate, expression, label: each.reference.columnId };
      });
      const compared = columns.testOf(compareColumns(test, sides, "UTC"));
      return { ...bound, columnId: compared.id, column: compared, type: compared.type };
    },
  );
  return Array.isArray(value) && value.length === 0 ? noRows(column) : tests;
}

/** Parses a row filter that compares columns of its dataset, referenced as `{column_id}`. */
function parseRowColumnTest(filter: RowFilter, path: string): Condition {
  const at = `${path}.value`;
  const named = (value: unknown, member: string): unknown => {
    if (Array.isArray(value)) return value.map((each, index) => named(each, `${member}[${index}]`));
    if (!mentionsColumn(value)) return value;
    const { column_id, dataset_id, securable_id } = readMembers(value, member, [
      "column_id",
      "dataset_id",
      "securable_id",
    ]);
    for (const [name, given] of Object.entries({ dataset_id, securable_id }))
      if (given !== undefined && readId(given, `${member}.${name}`) !== filter.securable_id)
        throw new ApiError("MEMBER_INVALID", [
          `${member}.${name}`,
          "a row filter can only compare columns of its own dataset",
        ]);
    return { column_id, dataset_id: filter.securable_id };
  };
  const first = { column_id: filter.column_id, dataset_id: filter.securable_id };
  const value = named(filter.value, at);
  const parsed = parseColumns(filter.expression, [first, value], path, at);
  if (parsed) return parsed;
  throw new ApiError("MEMBER_INVALID", [
    at,
    "a parameter must replace the whole value, not only a part",
  ]);
}

/**
 * Returns two tests that no row passes: that the column is null, and that it is not null. They are separate tests,
 * because not every plugin supports groups of tests.
 */
function noRows({ pluginId }: QueriedColumn): readonly Filter[] {
  return [
    { column_id: pluginId, expression: "is null" },
    { column_id: pluginId, expression: "is not null" },
  ];
}
