import {
  aggregationDefinitions,
  secondColumnId,
  type Aggregation,
  type Capabilities,
  type DataType,
  type Parts,
  type Query,
  type QueryColumn,
  type WriteColumn,
} from "../../../plugins/protocol/index.ts";
import {
  unsupportedBin,
  unsupportedColumns,
  unsupportedFilter,
  unsupportedGrouping,
  typeOf,
} from "./unsupportedClauses.ts";
import type { QueryPlan, Frequencies, RepeatedColumn } from "../queryPlan.ts";
import { pushedQuery } from "./planGroups.ts";
import type { SecuredQuery } from "../secure/secure.ts";

/** The plugin's part of a query and the residual, without their explanation. */
export type SplitQuery = Omit<QueryPlan, "steps" | "filters" | "sent">;

/** Maximum number of value columns. With more, nearly every row would form its own group. */
export const maxValueColumns = 2;

/** A part of a group from which some aggregations can be computed, however groups are split. */
export type Part = Parts[number];

/**
 * Plans to fetch how often each value occurs in each group. This serves a plugin that groups and counts but does not
 * support bins or an aggregation such as the median. `repeatRows` expands the answer into rows, and the whole query
 * runs over them as the residual. Measures that can be computed from sums, counts and extremes are fetched as these
 * parts, without splitting groups by value. Returns undefined if the plugin does not support these groups, or if values
 * of more than two columns are needed.
 */
export function planFrequencies(
  secured: SecuredQuery,
  capabilities: Capabilities,
): SplitQuery | undefined {
  const { query } = secured;
  const isPromised = (columns: readonly QueryColumn[], filters: Query["filters"] = []) =>
    unsupportedClause({ ...secured, query: { ...query, columns, filters } }, capabilities) ===
    undefined;
  const partsFor = (column: QueryColumn) => {
    const parts = column.aggregation && aggregationDefinitions[column.aggregation].mergedFrom;
    return parts && isPromised(parts.map((part) => ({ ...column, aggregation: part })))
      ? parts
      : undefined;
  };
  const rowCount: QueryColumn = { column_id: "*", aggregation: "count" };
  // For bins that the plugin does not support, the host computes the bins from the values.
  const keys = query.columns
    .filter(({ aggregation }) => !aggregation)
    .map((key) => (key.bin && unsupportedBin(key.bin, capabilities) ? withoutBin(key) : key));
  const binned = keys.filter((key) => !query.columns.some((each) => isSame(each, key)));
  const whole = query.columns.filter((each) => each.aggregation && !partsFor(each));
  const values = distinct([...binned, ...whole.flatMap(valuesOf)]);
  if (values.length === 0 || values.length > maxValueColumns) return undefined;
  const isValue = (column: QueryColumn) =>
    values.some((value) => isSame(value, withoutFold(column)));

  const fetched = distinct([...keys, ...values]);
  const vectorOf = (column: QueryColumn): number => {
    const known = fetched.findIndex((each) => isSame(each, column));
    return known < 0 ? fetched.push(column) - 1 : known;
  };
  const count = vectorOf(rowCount);
  const made: RepeatedColumn[] = [];
  const columns: WriteColumn[] = [];
  const idOf = (column: RepeatedColumn, type: DataType): string => {
    const known = made.findIndex((each) => isSame(each, column));
    if (known >= 0) return String(known);
    const id = String(made.push(column) - 1);
    columns.push({ id, type });
    return id;
  };
  const valueId = (column: QueryColumn): string =>
    idOf(
      { kind: "value", vector: vectorOf(column) },
      typeOf(column.column_id, secured) ?? "numeric",
    );
  const foldedId = (column: QueryColumn, parts: readonly Aggregation[]): string => {
    const partOf = (part: Aggregation) => vectorOf(folded(column, part));
    const type = typeOf(column.column_id, secured) ?? "numeric";
    const [part] = parts;
    if (part === "min" || part === "max") return idOf({ kind: "once", vector: partOf(part) }, type);
    const isCounted = parts.includes("count");
    return idOf(
      {
        kind: "spread",
        ...(parts.includes("sum") && { sum: partOf("sum") }),
        ...(isCounted && { count: partOf("count") }),
      },
      "numeric",
    );
  };
  const residualColumn = (column: QueryColumn): QueryColumn => {
    const { aggregation, bin, column_id, fraction, weight, other } = column;
    if (!aggregation && bin && unsupportedBin(bin, capabilities))
      return { column_id: valueId(withoutBin(column)), bin };
    if (!aggregation) return { column_id: valueId(column) };
    if (column_id === "*") return rowCount;
    const parts = isValue(column) ? undefined : partsFor(column);
    return {
      column_id: parts ? foldedId(column, parts) : valueId(withoutFold(column)),
      aggregation,
      ...(fraction !== undefined && { fraction }),
      ...(weight !== undefined && { weight: valueId(plain(weight, secured)) }),
      ...(other !== undefined && { other: valueId(plain(other, secured)) }),
    };
  };
  const residualColumns = query.columns.map(residualColumn);
  if (!isPromised(fetched, query.filters)) return undefined;
  const pushed = pushedQuery({ ...query, columns: fetched, having: [], order: [] }, {});
  const { derived: _, joins: __, ...rest } = query;
  const frequencies: Frequencies = { count, columns: made };
  return {
    mode: "frequencies",
    pushed,
    frequencies,
    residual: {
      columns,
      vectors: columns.map((_column, index) => index),
      query: pushedQuery(
        { ...rest, columns: residualColumns, filters: [], options: { pushdown: true } },
        query,
      ),
    },
  };

  function valuesOf(column: QueryColumn): readonly QueryColumn[] {
    const second = secondColumnId(column);
    return second === undefined
      ? [withoutFold(column)]
      : [withoutFold(column), plain(second, secured)];
  }
}

/** Describes the first unsupported clause among columns, filters and groups. */
function unsupportedClause(secured: SecuredQuery, capabilities: Capabilities): string | undefined {
  const { filters } = secured.query;
  const unsupportedFilters = filters.map((filter) =>
    unsupportedFilter(filter, secured, capabilities),
  );
  return (
    unsupportedColumns(secured, capabilities) ??
    unsupportedFilters.find((each) => each !== undefined) ??
    unsupportedGrouping(secured, capabilities)
  );
}

function withoutBin(column: QueryColumn): QueryColumn {
  const { bin: _, ...value } = column;
  return value;
}

function plain(columnId: string, secured: SecuredQuery): QueryColumn {
  const isSource = secured.dataset.source.columns.some(({ id }) => id === columnId);
  const type = typeOf(columnId, secured);
  return { column_id: columnId, ...(!isSource && type && { type }) };
}

/** Returns the column without its aggregation. */
function withoutFold(column: QueryColumn): QueryColumn {
  const { aggregation: _, fraction: __, weight: ___, other: ____, ...value } = column;
  return value;
}

function folded(column: QueryColumn, aggregation: Aggregation): QueryColumn {
  return { ...withoutFold(column), aggregation };
}

function distinct(columns: readonly QueryColumn[]): QueryColumn[] {
  return columns.filter(
    (column, index) => columns.findIndex((each) => isSame(each, column)) === index,
  );
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
