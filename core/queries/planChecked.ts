import {
  namesIn,
  type Aggregation,
  type Capabilities,
  type ColumnFilter,
  type Filter,
  type Level,
  type Query,
  type QueryColumn,
  type WriteColumn,
} from "../../plugins/protocol/index.ts";
import { boundColumns } from "./boundFirst.ts";
import type { GroupsCheck } from "./checkGroups.ts";
import { decidingLevel, finerLevel, groupedLevel, type GroupedLevel } from "./decidingLevel.ts";
import { typeOf } from "./gaps.ts";
import { mostValues, partsOf } from "./planFrequencies.ts";
import { planGroups, pushedQuery } from "./planGroups.ts";
import type { QueryPlan, Residual } from "./plan.ts";
import type { RepeatedColumn } from "./repeatRows.ts";
import type { SecuredQuery } from "./secure.ts";
import { sentFilters } from "./sentFilters.ts";

type Part = "sum" | "count" | "min" | "max";

/** The groups that a plugin that is not proved is asked, and what of its answer is what. */
interface CheckedGroups {
  readonly pushed: Query;
  readonly check: GroupsCheck;
  /** The columns of the answer as the temporary dataset calls them: first keys, by the ids of their columns, then parts. */
  readonly stored: readonly WriteColumn[];
  readonly keyCount: number;
  /** What the temporary dataset calls a part of a column, or the number of rows; of other aggregations nothing has that name. */
  idOf(columnId: string, part: Aggregation): string;
  vectorOf(id: string): number;
}

/**
 * Plans a query for a plugin that is not proved, so that the host can check what it answers: groups by every column that a filter or a
 * derived column reads, always with `count` of `*`. The host tests all filters again over these groups, computes derived columns, levels and bins over
 * them, and merges them. Aggregations are put together of sums, counts and extremes. What these cannot give is computed of the values themselves,
 * which join the groups too. Undefined where plain rows are to be asked: when the plugin does not group and count, for plain rows,
 * joins, and aggregations of the values of many columns.
 */
export function planChecked(
  secured: SecuredQuery,
  capabilities: Capabilities,
): Omit<QueryPlan, "steps"> | undefined {
  const { query } = secured;
  const offered = capabilities.grouping?.aggregations ?? [];
  const isGrouped = query.options.pushdown && !query.joins && capabilities.projection;
  if (!isGrouped || !offered.includes("count")) return undefined;
  const measures = query.columns.filter(({ aggregation }) => aggregation);
  const ofValues = measures.filter((column) => !partsFor(column, secured, capabilities));
  const values = sourcesOf(
    ofValues.flatMap(({ column_id, weight }) => [column_id, weight ?? column_id]),
    query,
  );
  if (values.length > mostValues) return undefined;
  const groups = groupsFor(secured, capabilities, values);
  if (!groups) return undefined;
  const { pushed, check } = groups;
  const isRepeated = ofValues.some(({ aggregation = "sum" }) => !readsDistinct.has(aggregation));
  if (isRepeated)
    return {
      mode: "frequencies",
      pushed,
      check,
      ...repeatedRows(query, groups, (column) => partsFor(column, secured, capabilities)),
    };
  const averages = query.columns.flatMap(({ aggregation }, index) =>
    aggregation === "average" ? [index] : [],
  );
  if (averages.length === 0 && measures.length < query.columns.length)
    return { mode: "grouped", pushed, check, residual: merged(query, groups, query.limit) };
  // Averages are divided after the groups are merged, and counts of no groups at all are 0.
  const { pushed: asked, residual } = planGroups(secured, averages);
  const counts = asked.columns.flatMap(({ aggregation }, index) =>
    aggregation === "count" ? [index] : [],
  );
  const merge = { ...merged(asked, groups, undefined), counts };
  return { mode: "grouped", pushed, check, merge, residual };
}

/** Aggregations that read each value once, however many rows have it. */
const readsDistinct = new Set<Aggregation>(["min", "max", "distinctcount"]);

/** The parts that an aggregation is put together of, undefined when it is computed of values. */
function partsFor(
  { column_id, aggregation, level }: QueryColumn,
  { query, dataset }: SecuredQuery,
  capabilities: Capabilities,
): readonly Part[] | undefined {
  if (column_id === "*") return [];
  const parts = aggregation && partsOf[aggregation];
  const offered = capabilities.grouping?.aggregations ?? [];
  const isSource = dataset.source.columns.some(({ id }) => id === column_id);
  if (!parts || level || !isSource || !parts.every((part) => offered.includes(part)))
    return undefined;
  const type = typeOf(column_id, { query, dataset });
  const isExtreme = parts.includes("min") || parts.includes("max");
  // Many plugins answer null for extremes of dates, and order texts by a collation of their own.
  const isKnown = type === "numeric" || (type === "datetime" && capabilities.order);
  return isExtreme && !isKnown ? undefined : parts;
}

function groupsFor(
  secured: SecuredQuery,
  capabilities: Capabilities,
  values: readonly string[],
): CheckedGroups | undefined {
  const { query, dataset } = secured;
  const levels = neededKeys(secured, values);
  const offeredLevels = capabilities.grouping?.levels ?? [];
  const types = new Map(dataset.source.columns.map(({ id, type }) => [id, type]));
  if ([...levels.keys()].some((id) => !types.has(id))) return undefined;
  const asked: QueryColumn[] = [...levels].map(([id, level]) =>
    level && level !== "millisecond" && offeredLevels.includes(level)
      ? { column_id: id, level }
      : { column_id: id },
  );
  const keyCount = asked.length;
  const taken = new Set([...types.keys(), ...(query.derived ?? []).map(({ id }) => id)]);
  let prefix = "part.";
  while ([...taken].some((id) => id.startsWith(prefix))) prefix = `_${prefix}`;
  const vectors = new Map(asked.map(({ column_id }, vector) => [column_id, vector]));
  const idOf = (columnId: string, part: Aggregation) => `${prefix}${part}.${columnId}`;
  const folds: GroupsCheck["folds"][number][] = [];
  const askPart = (columnId: string, part: Part): number => {
    const id = idOf(columnId, part);
    const known = vectors.get(id);
    if (known !== undefined) return known;
    const vector = asked.push({ column_id: columnId, aggregation: part }) - 1;
    vectors.set(id, vector);
    if (part !== "count") folds.push({ vector, part, valueCount: askPart(columnId, "count") });
    return vector;
  };
  for (const column of query.columns)
    for (const part of column.aggregation ? (partsFor(column, secured, capabilities) ?? []) : [])
      askPart(column.column_id, part);
  const rowCount = askPart("*", "count");
  return {
    pushed: {
      id: query.id,
      columns: asked,
      filters: sentFilters(query.filters, secured, { capabilities, isProved: false }),
      options: {
        pushdown: true,
        ...(query.options.query_timeout !== undefined && {
          query_timeout: query.options.query_timeout,
        }),
      },
    },
    check: {
      rowCount,
      periods: asked.flatMap(({ level }, vector) =>
        level ? [{ vector, level: groupedLevel(level) }] : [],
      ),
      folds,
    },
    stored: [...vectors].map(([id, vector]): WriteColumn => {
      const { column_id, aggregation } = asked[vector] ?? { column_id: id };
      const isCounted = aggregation === "count" || aggregation === "sum";
      return { id, type: (isCounted ? undefined : types.get(column_id)) ?? "numeric" };
    }),
    keyCount,
    idOf,
    vectorOf: (id) => vectors.get(id) ?? -1,
  };
}

/**
 * Lists the columns that groups are asked by, with the level that each may be truncated to in UTC. Columns of filters on rows come first
 * and are never truncated: rows that a plugin found for another question then fail the tests, whatever else stands in them.
 */
function neededKeys(
  { query, dataset }: SecuredQuery,
  values: readonly string[],
): ReadonlyMap<string, GroupedLevel | undefined> {
  const needed = new Map<string, GroupedLevel | undefined>();
  const isUtc = (query.options.timezone_id ?? "UTC") === "UTC";
  const need = (columnId: string, level?: GroupedLevel) => {
    const known = needed.get(columnId);
    const isKnown = needed.has(columnId);
    const both = known && level ? finerLevel(known, level) : undefined;
    needed.set(columnId, isKnown ? both : level);
  };
  const needAt = (columnId: string, level: Level | undefined) =>
    need(columnId, level && isUtc ? groupedLevel(level) : undefined);
  boundColumns(dataset, query.filters).forEach((id) => need(id));
  const derived = query.derived ?? [];
  const types = new Map(dataset.source.columns.map(({ id, type }) => [id, type]));
  const isSource = (id: string) => !derived.some((each) => each.id === id);
  for (const { expression } of derived) namesIn(expression).columnIds.forEach((id) => need(id));
  for (const leaf of query.filters.flatMap(leavesOf))
    if (isSource(leaf.column_id)) {
      if (leaf.level) needAt(leaf.column_id, leaf.level);
      else
        need(
          leaf.column_id,
          types.get(leaf.column_id) === "datetime" ? decidingLevel(leaf) : undefined,
        );
    }
  for (const { column_id, level, aggregation } of query.columns)
    if (!aggregation && isSource(column_id)) needAt(column_id, level);
  values.forEach((id) => need(id));
  return needed;
}

/** The columns of the source that stand behind columns of the query, each once. */
function sourcesOf(ids: readonly string[], { derived = [] }: Query): readonly string[] {
  const behind = ids.flatMap((id) => {
    const computed = derived.find((each) => each.id === id);
    return computed ? namesIn(computed.expression).columnIds : [id];
  });
  return [...new Set(behind)];
}

/** The query over the groups: filters tested again, equal groups merged. Groups of no rows are none. */
function merged(query: Query, { stored, idOf }: CheckedGroups, limit: Query["limit"]): Residual {
  const isStored = (id: string) => stored.some((each) => each.id === id);
  const columns = query.columns.map((column): QueryColumn => {
    const { column_id, aggregation, level } = column;
    if (!aggregation || level) return column;
    const id = idOf(column_id, aggregation === "cumulativesum" ? "sum" : aggregation);
    if (!isStored(id)) return column;
    return { column_id: id, aggregation: aggregation === "count" ? "sum" : aggregation };
  });
  const { joins: _, ...plain } = query;
  const hasRows = { column_id: idOf("*", "count"), expression: ">", value: [0] } as const;
  return {
    columns: stored,
    vectors: stored.map((_column, vector) => vector),
    query: pushedQuery({ ...plain, columns, filters: [...query.filters, hasRows] }, limit),
  };
}

/** The query over rows that are made again of the groups. */
function repeatedRows(
  query: Query,
  { stored, idOf, vectorOf, keyCount }: CheckedGroups,
  partsOfColumn: (column: QueryColumn) => readonly Part[] | undefined,
): Required<Pick<QueryPlan, "frequencies">> & { readonly residual: Residual } {
  const { joins: _, ...unjoined } = query;
  const made: RepeatedColumn[] = stored
    .slice(0, keyCount)
    .map((_column, vector) => ({ kind: "value", vector }));
  const columns: WriteColumn[] = stored.slice(0, keyCount);
  const repeated = query.columns.map((column): QueryColumn => {
    const { column_id, aggregation } = column;
    const parts = aggregation && partsOfColumn(column);
    const [part] = parts ?? [];
    if (!part || !aggregation) return column;
    const id = idOf(column_id, part);
    const vector = vectorOf(id);
    const isExtreme = part === "min" || part === "max";
    const known = columns.some((each) => each.id === id);
    if (!known) {
      columns.push({ id, type: stored[vector]?.type ?? "numeric" });
      const count = vectorOf(idOf(column_id, "count"));
      made.push(
        isExtreme
          ? { kind: "once", vector }
          : { kind: "spread", count, ...(part === "sum" && { sum: vector }) },
      );
    }
    return { column_id: id, aggregation };
  });
  return {
    frequencies: { count: vectorOf(idOf("*", "count")), columns: made },
    residual: {
      columns,
      vectors: columns.map((_column, vector) => vector),
      query: pushedQuery({ ...unjoined, columns: repeated }, query.limit),
    },
  };
}

function leavesOf(filter: Filter): readonly ColumnFilter[] {
  if ("and" in filter) return filter.and.flatMap(leavesOf);
  if ("or" in filter) return filter.or.flatMap(leavesOf);
  return [filter];
}
