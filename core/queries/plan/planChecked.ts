import {
  aggregationDefinitions,
  secondColumnId,
  type Capabilities,
  type Query,
  type QueryColumn,
  type WriteColumn,
} from "../../../plugins/protocol/index.ts";
import { checkedGroups, partsFor, type CheckedGroups } from "./checkedGroups.ts";
import { maxValueColumns, type Part, type SplitQuery } from "./planFrequencies.ts";
import { planGroups, pushedQuery, type Cut } from "./planGroups.ts";
import type { QueryPlan, Residual, RepeatedColumn } from "../queryPlan.ts";
import { sourcesOf } from "../resolve/namedColumns.ts";
import type { SecuredQuery } from "../secure/secure.ts";

/**
 * Plans groups that the host can check, for a plugin that is not trusted. The plugin groups by every column that a
 * filter or derived column reads, and counts the rows of each group. The host tests the filters over these groups
 * (ranges by their extremes), computes derived columns, levels and bins, and merges the groups. The host computes
 * aggregations from sums, counts and extremes where possible. Otherwise, the values also become keys. Returns undefined
 * if the plugin does not group and count, or if the query has plain rows, joins or too many value columns.
 */
export function planChecked(
  secured: SecuredQuery,
  capabilities: Capabilities,
): SplitQuery | undefined {
  const { query } = secured;
  const offered = capabilities.grouping?.aggregations ?? [];
  const isGrouped = query.options.pushdown && !query.joins && capabilities.projection;
  if (!isGrouped || !offered.includes("count")) return undefined;
  const measures = query.columns.filter(({ aggregation }) => aggregation);
  const ofValues = measures.filter((column) => !partsFor(column, secured, capabilities));
  const values = sourcesOf(
    ofValues.flatMap((column) => [column.column_id, secondColumnId(column) ?? column.column_id]),
    query,
  );
  if (values.length > maxValueColumns) return undefined;
  const groups = checkedGroups(secured, capabilities, values);
  if (!groups) return undefined;
  const { pushed, check } = groups;
  const isRepeated = ofValues.some(
    ({ aggregation = "sum" }) => !aggregationDefinitions[aggregation].ignoresRepeats,
  );
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
    return { mode: "grouped", pushed, check, residual: merged(query, groups, query) };
  // Averages are divided after the groups are merged. Counts are 0 if there are no groups.
  const { pushed: grouped, residual } = planGroups(secured, averages);
  const counts = grouped.columns.flatMap(({ aggregation }, index) =>
    aggregation === "count" ? [index] : [],
  );
  const merge = { ...merged(grouped, groups, {}), counts };
  return { mode: "grouped", pushed, check, merge, residual };
}

/** Returns the query over the groups. It tests filters again, merges equal groups and drops groups without rows. */
function merged(query: Query, { stored, idOf, tested }: CheckedGroups, cut: Cut): Residual {
  const isStored = (id: string) => stored.some((each) => each.id === id);
  const columns = query.columns.map((column): QueryColumn => {
    const { column_id, aggregation, level, per } = column;
    if (!aggregation || level) return column;
    const id = idOf(column_id, aggregation === "cumulativesum" ? "sum" : aggregation);
    if (!isStored(id)) return column;
    return {
      column_id: id,
      aggregation: aggregation === "count" ? "sum" : aggregation,
      ...(per && { per }),
    };
  });
  const { joins: _, ...plain } = query;
  const hasRows = { column_id: idOf("*", "count"), expression: ">", value: [0] } as const;
  return {
    columns: stored,
    vectors: stored.map((_column, vector) => vector),
    query: pushedQuery({ ...plain, columns, filters: [...tested, hasRows] }, cut),
  };
}

/** Returns the query over the rows that are expanded from the groups. */
function repeatedRows(
  query: Query,
  { stored, idOf, vectorOf, keyCount, tested }: CheckedGroups,
  partsOfColumn: (column: QueryColumn) => readonly Part[] | undefined,
): Required<Pick<QueryPlan, "frequencies">> & { readonly residual: Residual } {
  const { joins: _, ...unjoined } = query;
  const made: RepeatedColumn[] = stored
    .slice(0, keyCount)
    .map((_column, vector) => ({ kind: "value", vector }));
  const columns: WriteColumn[] = stored.slice(0, keyCount);
  const repeated = query.columns.map((column): QueryColumn => {
    const { column_id, aggregation, per } = column;
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
    return { column_id: id, aggregation, ...(per && { per }) };
  });
  return {
    frequencies: { count: vectorOf(idOf("*", "count")), columns: made },
    residual: {
      columns,
      vectors: columns.map((_column, vector) => vector),
      query: pushedQuery({ ...unjoined, columns: repeated, filters: tested }, query),
    },
  };
}
