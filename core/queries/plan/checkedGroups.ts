import {
  aggregationDefinitions,
  namesIn,
  operatorDefinitions,
  type Aggregation,
  type Capabilities,
  type DataType,
  type Filter,
  type Level,
  type Query,
  type QueryColumn,
  type WriteColumn,
  leaves,
} from "../../../plugins/protocol/index.ts";
import type { GroupsCheck, GroupedLevel, RangeFilter } from "../queryPlan.ts";
import { decidingLevel, finerLevel, groupedLevel } from "./decidingLevel.ts";
import { findColumnIn } from "./findColumnIn.ts";
import { pushdownOf, typeOf, unsupportedAggregation } from "./unsupportedClauses.ts";
import type { Part } from "./planFrequencies.ts";
import type { SecuredQuery } from "../secure/secure.ts";
import { pushedFilters } from "./pushedFilters.ts";
import { wholeMinutesFromMs, zoneLevel } from "./zoneLevel.ts";

/** The groups to request from a plugin that is not trusted, and how to read the plugin's answer. */
export interface CheckedGroups {
  readonly pushed: Query;
  readonly check: GroupsCheck;
  /**
   * The columns of the answer in the temporary dataset: first the keys, named by the ids of their columns, then the
   * parts.
   */
  readonly stored: readonly WriteColumn[];
  readonly keyCount: number;
  /** The filters that are tested over the groups. `check` tests the other filters by the extremes of each group. */
  readonly tested: readonly Filter[];
  /** Returns the unique name that a part of a column, or the row count, has in the temporary dataset. */
  idOf(columnId: string, part: Aggregation): string;
  vectorOf(id: string): number;
}

/**
 * Returns the parts from which an aggregation can be computed; undefined if the aggregation needs the values
 * themselves.
 */
export function partsFor(
  { column_id, aggregation, level }: QueryColumn,
  secured: SecuredQuery,
  capabilities: Capabilities,
): readonly Part[] | undefined {
  if (column_id === "*") return [];
  const parts: readonly Part[] | undefined =
    aggregation && aggregationDefinitions[aggregation].mergedFrom;
  const isSource = secured.dataset.source.columns.some(({ id }) => id === column_id);
  if (!parts || level || !isSource) return undefined;
  // The number of values shows whether a sum or an extreme must be null.
  const needed: readonly Part[] = [...parts, "count"];
  const isOffered = needed.every((part) => isExact(column_id, part, secured, capabilities));
  const isExtreme = parts.includes("min") || parts.includes("max");
  const hasExtremes = isOrdered(typeOf(column_id, secured), capabilities);
  return !isOffered || (isExtreme && !hasExtremes) ? undefined : parts;
}

function isExact(
  columnId: string,
  aggregation: Part,
  secured: SecuredQuery,
  capabilities: Capabilities,
): boolean {
  return !unsupportedAggregation({ column_id: columnId, aggregation }, secured, capabilities);
}

/**
 * Returns whether the host can use extremes of a type. Datetimes require a plugin that promises `order`, because many
 * other plugins return null for their extremes. Strings are excluded, because plugins order them by their own
 * collations.
 */
function isOrdered(type: DataType | undefined, { order }: Capabilities): boolean {
  return type === "numeric" || (type === "datetime" && order === true);
}

/**
 * Chooses the groups to request from a plugin that is not trusted. `values` are the columns whose values are needed.
 */
export function checkedGroups(
  secured: SecuredQuery,
  capabilities: Capabilities,
  values: readonly string[],
): CheckedGroups | undefined {
  const { query, dataset } = secured;
  const filters = pushedFilters(query.filters, secured, { capabilities, isTrusted: false });
  const { levels, zoned, ranges } = neededKeys(
    secured,
    values,
    rangesIn(secured, capabilities).filter((range) => filters.some(({ sent }) => sent === range)),
  );
  const offeredLevels = capabilities.grouping?.levels ?? [];
  const types = new Map(dataset.source.columns.map(({ id, type }) => [id, type]));
  if ([...levels.keys()].some((id) => !types.has(id))) return undefined;
  const find = findColumnIn(secured);
  if ([...levels.keys()].some((id) => find(id)?.narrowed?.grouping === false)) return undefined;
  const columns: QueryColumn[] = [...levels].map(([id, level]) =>
    level && level !== "millisecond" && offeredLevels.includes(level)
      ? { column_id: id, level }
      : { column_id: id },
  );
  const keyCount = columns.length;
  const taken = new Set([...types.keys(), ...(query.derived ?? []).map(({ id }) => id)]);
  let prefix = "part.";
  while ([...taken].some((id) => id.startsWith(prefix))) prefix = `_${prefix}`;
  const vectors = new Map(columns.map(({ column_id }, vector) => [column_id, vector]));
  const idOf = (columnId: string, part: Aggregation) => `${prefix}${part}.${columnId}`;
  const folds: GroupsCheck["folds"][number][] = [];
  const addPart = (columnId: string, part: Part): number => {
    const id = idOf(columnId, part);
    const known = vectors.get(id);
    if (known !== undefined) return known;
    const vector = columns.push({ column_id: columnId, aggregation: part }) - 1;
    vectors.set(id, vector);
    if (part !== "count") folds.push({ vector, part, valueCount: addPart(columnId, "count") });
    return vector;
  };
  for (const column of query.columns)
    for (const part of column.aggregation ? (partsFor(column, secured, capabilities) ?? []) : [])
      addPart(column.column_id, part);
  const checkedRanges = ranges.map((filter) => ({
    filter,
    least: addPart(filter.column_id, "min"),
    greatest: addPart(filter.column_id, "max"),
    valueCount: addPart(filter.column_id, "count"),
  }));
  const rowCount = addPart("*", "count");
  return {
    tested: query.filters.filter((filter) => !ranges.some((range) => range === filter)),
    pushed: {
      id: query.id,
      columns,
      filters: filters.map(({ sent }) => sent),
      options: {
        pushdown: true,
        ...(query.options.query_timeout !== undefined && {
          query_timeout: query.options.query_timeout,
        }),
      },
    },
    check: {
      rowCount,
      periods: columns.flatMap(({ column_id, level }, vector) =>
        level
          ? [
              {
                vector,
                level: groupedLevel(level),
                ...(zoned.has(column_id) && { fromMs: wholeMinutesFromMs }),
              },
            ]
          : [],
      ),
      folds,
      ranges: checkedRanges,
    },
    stored: [...vectors].map(([id, vector]): WriteColumn => {
      const { column_id, aggregation } = columns[vector] ?? { column_id: id };
      const isCounted = aggregation === "count" || aggregation === "sum";
      return { id, type: (isCounted ? undefined : types.get(column_id)) ?? "numeric" };
    }),
    keyCount,
    idOf,
    vectorOf: (id) => vectors.get(id) ?? -1,
  };
}

/**
 * Lists the filters that can be tested by the minimum and maximum of each group, so that groups need not be split by
 * their columns. Columns of row filters are excluded, because they are always keys.
 */
function rangesIn(secured: SecuredQuery, capabilities: Capabilities): readonly RangeFilter[] {
  const { query, dataset } = secured;
  const bound = new Set(secured.rowFilterColumns);
  const types = new Map(dataset.source.columns.map(({ id, type }) => [id, type]));
  return query.filters.filter(
    (filter): filter is RangeFilter =>
      "column_id" in filter &&
      operatorDefinitions[filter.expression].tests === "order" &&
      !bound.has(filter.column_id) &&
      isOrdered(types.get(filter.column_id), capabilities) &&
      pushdownOf(filter, secured, capabilities).pushdown === "exact" &&
      (["min", "max", "count"] as const).every((part) =>
        isExact(filter.column_id, part, secured, capabilities),
      ),
  );
}

/**
 * Lists the key columns, each with the UTC level to which it may be truncated, and the `ranges` that no key decides.
 * Columns of row filters come first and are never truncated. Therefore, these columns have the same positions for all
 * callers whose row filters test the same columns.
 */
function neededKeys(
  { query, dataset, rowFilterColumns }: SecuredQuery,
  values: readonly string[],
  ranges: readonly RangeFilter[],
): {
  readonly levels: ReadonlyMap<string, GroupedLevel | undefined>;
  /** The columns that the query truncates in a time zone other than UTC. */
  readonly zoned: ReadonlySet<string>;
  readonly ranges: readonly RangeFilter[];
} {
  const levels = new Map<string, GroupedLevel | undefined>();
  const zoned = new Set<string>();
  const zone = query.options.timezone_id ?? "UTC";
  const need = (columnId: string, level?: GroupedLevel) => {
    const known = levels.get(columnId);
    const both = known && level ? finerLevel(known, level) : undefined;
    levels.set(columnId, levels.has(columnId) ? both : level);
  };
  const needAt = (columnId: string, level: Level | undefined) => {
    if (!level || zone === "UTC") return need(columnId, level && groupedLevel(level));
    zoned.add(columnId);
    need(columnId, finerLevel(groupedLevel(level), zoneLevel(zone)));
  };
  rowFilterColumns.forEach((id) => need(id));
  const derived = query.derived ?? [];
  const types = new Map(dataset.source.columns.map(({ id, type }) => [id, type]));
  const isSource = (id: string) => !derived.some((each) => each.id === id);
  for (const { expression } of derived) namesIn(expression).columnIds.forEach((id) => need(id));
  const others = query.filters.filter((filter) => !ranges.some((range) => range === filter));
  for (const leaf of others.flatMap((filter) => leaves(filter))) {
    const { column_id, level } = leaf;
    if (!isSource(column_id)) continue;
    if (level) needAt(column_id, level);
    else need(column_id, types.get(column_id) === "datetime" ? decidingLevel(leaf) : undefined);
  }
  for (const { column_id, level, aggregation } of query.columns)
    if (!aggregation && isSource(column_id)) needAt(column_id, level);
  values.forEach((id) => need(id));
  const isValueKnown = (id: string) => levels.has(id) && levels.get(id) === undefined;
  return { levels, zoned, ranges: ranges.filter(({ column_id }) => !isValueKnown(column_id)) };
}
