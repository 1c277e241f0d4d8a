import Type from "typebox";
import {
  ApiError,
  isObject,
  reference,
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
/**
 * Origins of filters that only preselect values in a dashboard. The host stores and returns them, but never applies
 * them.
 */
const displayOrigins = [
  "chart",
  "initialization",
  "itemFilter",
  "filterFromVizItem",
  "filterFromFilterItem",
] as const;

/** A filter that only preselects values in a dashboard. Its other members are stored unchanged. */
export const DisplayFilter = Type.Object(
  {
    origin: Type.Enum([...displayOrigins], {
      type: "string",
      description: "What preselects the value: the dashboard, one of its items, or the page.",
    }),
    clause: Type.Optional(Type.String({ description: "Stored but ignored." })),
    securable_id: Type.Optional(Type.String({ description: "Id of the dataset." })),
    column_id: Type.Optional(Type.String({ description: "Id of the column." })),
    expression: Type.Optional(Type.String({ description: "The test, such as `? in ?`." })),
    value: Type.Optional(reference("RowFilterValue")),
  },
  {
    additionalProperties: true,
    description: "A filter that preselects values in a dashboard. It does not restrict rows.",
  },
);

/** An entry of a token's `filters`. */
export const TokenFilter = Type.Union([reference("RowFilter"), reference("DisplayFilter")], {
  description: "A filter of a token. Only filters with the origin global restrict rows.",
});

function isForDisplay(filter: { readonly origin?: unknown } | null): boolean {
  return displayOrigins.some((origin) => origin === filter?.origin);
}

/** Parses the `filters` of a token. Row filters are checked completely, and display filters are kept unchanged. */
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

/**
 * Returns a warning for each display filter on a dataset for which the token has no row filter. Authors who expect a
 * display filter to restrict rows would otherwise show all rows.
 */
export function displayFilterWarnings(filters: unknown): string[] {
  const given = Array.isArray(filters) ? filters.filter(isObject<"origin" | "securable_id">) : [];
  const restricted = new Set(
    given.filter((each) => !isForDisplay(each)).map((each) => each.securable_id),
  );
  return given.flatMap((each, index) =>
    isForDisplay(each) && !restricted.has(each.securable_id)
      ? [
          `filters[${index}] restricts no rows, because its origin is ${String(each.origin)}; to restrict rows, leave origin out`,
        ]
      : [],
  );
}

/** Returns the row filters among stored filters: all filters without a display origin. */
export function storedRowFilters(stored: unknown): RowFilter[] {
  return Array.isArray(stored) ? stored.filter((filter) => !isForDisplay(filter)) : [];
}

/**
 * Checks filters against the columns that they name, as a query does. With `isComplete`, each parameter must already
 * have a value or a default.
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
  const now = { nowMs: Date.now() };
  const columnsOf = new Map(
    ids.map((id) => {
      const own = rows.filter((row) => row.securable_id === id);
      const everyColumn = new Map(own.map((row) => [row.id, queriedColumn(row, false)]));
      return [id, createRowColumns({ id, everyColumn }, new Set(), now)];
    }),
  );
  for (const [index, filter] of filters.entries()) {
    const columns = columnsOf.get(filter.securable_id);
    if (!columns)
      throw new TypeError(`the columns of ${filter.securable_id} must be looked up first`);
    const { type } = columns.columnOf(filter.column_id, `${path}[${index}].column_id`) ?? {};
    if (filter.clause === "having" && type !== undefined && type !== "numeric")
      throw new ApiError("MEMBER_INVALID", [
        `${path}[${index}].column_id`,
        `a filter with the clause having tests the sum of its column, so the column must be numeric, not ${type}`,
      ]);
    const isOpen = !isComplete && isOpenParameter(filter);
    compileRowFilter(
      isOpen ? closed(filter) : filter,
      { columns, parameters: isOpen ? new Map() : parameters, now },
      `${path}[${index}]`,
    );
  }
}

/** Replaces an unset parameter with a sample value of its type, so that the rest of the filter can be checked. */
function closed(filter: RowFilter): RowFilter {
  const parameter = isObject<"type">(filter.value) ? filter.value : {};
  return { ...filter, value: { ...parameter, value: sampleOf(parameter.type) } };
}
