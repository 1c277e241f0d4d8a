import {
  ApiError,
  isObject,
  type Principal,
  type Records,
  type RowFilter,
} from "../../../base/index.ts";
import {
  compileRowFilter,
  createRowColumns,
  isOpenParameter,
  parseRowFilter,
  queriedColumn,
  sampleOf,
} from "../../../queries/index.ts";
import { readEntries, readObject } from "./members.ts";
import type { Parameters } from "./parameters.ts";

const filterCount = 500;
/** Filters that only preselect something in a dashboard; the host keeps and returns them, and applies none. */
const displayOrigins = [
  "chart",
  "initialization",
  "itemFilter",
  "filterFromVizItem",
  "filterFromFilterItem",
];

function isForDisplay(filter: { readonly origin?: unknown } | null): boolean {
  return displayOrigins.some((origin) => origin === filter?.origin);
}

/** Reads the `filters` of a token: those on rows in full, those for display as they are. */
export function parseFilters(
  value: unknown,
  path = "properties.filters",
): { readonly onRows: readonly RowFilter[]; readonly stored: readonly object[] } {
  const onRows: RowFilter[] = [];
  const stored = readEntries(value, path, filterCount).map((entry, index) => {
    const given = readObject(entry, `${path}[${index}]`);
    if (isForDisplay(given)) return given;
    const filter = parseRowFilter(given, `${path}[${index}]`, ["where", "having"]);
    onRows.push(filter);
    return filter;
  });
  return { onRows, stored };
}

/** Returns the row filters among stored filters: all filters without a display origin. */
export function storedRowFilters(stored: unknown): RowFilter[] {
  return Array.isArray(stored) ? stored.filter((filter) => !isForDisplay(filter)) : [];
}

/**
 * Holds filters against the columns that they name, as a query will. With `isComplete`, parameters must have a value
 * or a default by now.
 * @throws {ApiError} RECORD_NOT_FOUND for a dataset that the caller cannot see, MEMBER_INVALID, MEMBER_MISSING,
 * QUERY_NOT_SERVED
 */
export async function checkFilters(
  filters: readonly RowFilter[],
  parameters: Parameters,
  {
    records,
    principal,
    isComplete,
  }: {
    readonly records: Records;
    readonly principal: Principal;
    readonly isComplete: boolean;
  },
  path = "properties.filters",
): Promise<void> {
  if (filters.length === 0) return;
  const ids = [...new Set(filters.map((filter) => filter.securable_id))];
  const seen = await records.visible("securable", ids, "read", principal);
  for (const id of ids)
    if (seen.get(id)?.type !== "dataset")
      throw new ApiError("RECORD_NOT_FOUND", ["dataset", id.slice(0, 100)]);
  const rows = await records.find("column", { securable_id: ids });
  const nowMs = Date.now();
  const columnsOf = new Map(
    ids.map((id) => {
      const own = rows.filter((row) => row.securable_id === id);
      const everyColumn = new Map(own.map((row) => [row.id, queriedColumn(row, false)]));
      return [id, createRowColumns({ id, everyColumn }, new Set(), nowMs)];
    }),
  );
  for (const [index, filter] of filters.entries()) {
    const columns = columnsOf.get(filter.securable_id);
    if (!columns) throw new TypeError(`the columns of ${filter.securable_id} were not looked up`);
    const { type } = columns.columnOf(filter.column_id, `${path}[${index}].column_id`) ?? {};
    if (filter.clause === "having" && type !== undefined && type !== "numeric")
      throw new ApiError("MEMBER_INVALID", [
        `${path}[${index}].column_id`,
        `a filter with the clause having tests the sum of a numeric column, and this one is ${type}`,
      ]);
    const isOpen = !isComplete && isOpenParameter(filter);
    compileRowFilter(
      isOpen ? closed(filter) : filter,
      { columns, parameters: isOpen ? new Map() : parameters, nowMs },
      `${path}[${index}]`,
    );
  }
}

/** An open parameter with a value of its type, so that the rest of the filter can be checked. */
function closed(filter: RowFilter): RowFilter {
  const parameter = isObject<"type">(filter.value) ? filter.value : {};
  return { ...filter, value: { ...parameter, value: sampleOf(parameter.type) } };
}
