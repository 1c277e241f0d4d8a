import {
  namesIn,
  PluginError,
  type Capabilities,
  type ColumnFilter,
  type DataType,
  type Filter,
  isAnd,
  isOr,
  leaves,
  type Narrowing,
  operators,
  pairsOf,
  aggregationDefinitions,
  aggregations,
  secondColumnId,
  type Plugin,
  type Query,
} from "../../plugins/protocol/index.ts";
import { beyondCapabilities } from "./beyondCapabilities.ts";
import type { PlainPlugin } from "./plainPlugin.ts";
import type { Random } from "./random.ts";

/** The narrowings of a dataset's columns, keyed by the columns' ids in the plugin. */
export type Narrowings = Readonly<Record<string, Narrowing>>;

/** Counts the filters and clauses that a narrow plugin has received. */
export interface NarrowCounts {
  supersets: number;
  silent: number;
  grouped: number;
  limited: number;
}

export interface NarrowOptions {
  readonly capabilities: Capabilities;
  /** The narrowings of each dataset, keyed by the dataset's id. */
  readonly narrowings: Readonly<Record<string, Narrowings>>;
  readonly random: Random;
  /** Whether the host tests filters again before it groups. If so, the host may request groups over a superset. */
  readonly isChecked: boolean;
  readonly counts: NarrowCounts;
}

/**
 * Returns a plugin that passes additional rows wherever it promises only a superset. It chooses at random which filters
 * it does not acknowledge, and passes additional rows under these filters, too. It fails with PLUGIN_BUG for a query
 * that uses a capability that is withdrawn for a column, and for a query with groups, an order or a limit over a
 * superset.
 */
export function narrowPlugin(honest: PlainPlugin, options: NarrowOptions): Plugin {
  const { capabilities, narrowings, random, counts } = options;
  return {
    ...honest,
    capabilities,
    async query(call) {
      const { query } = call;
      const known = await honest.datasets(call);
      const tableOf = (id: string) => ({
        columns: known.find((dataset) => dataset.id === id)?.columns ?? [],
        rows: honest.rowsOf(id) ?? [],
      });
      const joined = (query.joins ?? []).flatMap(({ columns }) => columns);
      const table = {
        columns: [...tableOf(query.id).columns, ...joined],
        rows: tableOf(query.id).rows,
      };
      const types = new Map(
        [...table.columns, ...(query.derived ?? [])].map(({ id, type }) => [id, type]),
      );
      const narrowed = narrowingsOf(query, narrowings);
      const isExact = (filter: Filter) =>
        leaves(filter).every((leaf) => isExactTest(leaf, capabilities, types, narrowed));
      const supersets = query.filters.filter((filter) => !isExact(filter));
      const beyond =
        beyondCapabilities(query, table, capabilities, tableOf) ??
        beyondNarrowings(query, narrowed) ??
        joinOver(query, narrowings) ??
        (supersets.length > 0 && !options.isChecked ? overSuperset(query) : undefined);
      if (beyond)
        throw new PluginError("PLUGIN_BUG", [
          `the query has ${beyond}, which the plugin does not promise`,
        ]);
      const mood = random.pick(["as promised", "all", "some", "none"] as const);
      const acknowledged = query.filters.flatMap((filter, index) => {
        const isDone =
          mood === "as promised" || mood === "all" ? isExact(filter) : random.chance(0.5);
        return isDone && mood !== "none" ? [index] : [];
      });
      const isApplied = (index: number) => acknowledged.includes(index);
      counts.supersets += supersets.length;
      counts.silent += query.filters.filter(
        (each, index) => isExact(each) && !isApplied(index),
      ).length;
      if (query.options.pushdown && query.filters.length > 0) counts.grouped++;
      if (query.limit && query.filters.length > 0) counts.limited++;
      const filters = query.filters.map((filter, index) =>
        isApplied(index) ? filter : loosened(filter, query, random),
      );
      const batch = await honest.query({ ...call, query: { ...query, filters } });
      return mood === "as promised" ? batch : { ...batch, applied: acknowledged };
    },
  };
}

/** Returns random narrowings for some of the given columns. */
export function randomNarrowings(ids: readonly string[], random: Random): Narrowings {
  const narrowed = ids.filter(() => random.chance(0.4));
  return Object.fromEntries(
    narrowed.map((id): [string, Narrowing] => {
      const words = random
        .some(operators, 0.4)
        .map((operator) => [operator, random.pick(["superset", "superset", "none"] as const)]);
      return [
        id,
        {
          ...(random.chance(0.7) && { filters: Object.fromEntries(words) }),
          ...(random.chance(0.3) && { grouping: false as const }),
          ...(random.chance(0.3) && { order: false as const }),
          ...(random.chance(0.4) && { aggregations: random.some(aggregations, 0.4) }),
          reason: `the collation of ${id} ignores case`,
        },
      ];
    }),
  );
}

/** Adds random operators to the operators for which a plugin promises only a superset of the rows. */
export function withSupersets(capabilities: Capabilities, random: Random): Capabilities {
  if (!capabilities.filters) return capabilities;
  const types = ["numeric", "datetime", "hierarchy"] as const;
  const superset = Object.fromEntries(
    random.some(operators, 0.6).map((operator) => [operator, random.some(types, 0.6)]),
  );
  return { ...capabilities, filters: { ...capabilities.filters, superset } };
}

/**
 * Returns the narrowings of a query's columns, keyed by the columns' ids in the query. In a query, a joined column has
 * another id than in its dataset.
 */
function narrowingsOf(
  { id, joins = [], derived = [] }: Query,
  byDataset: NarrowOptions["narrowings"],
): ReadonlyMap<string, Narrowing> {
  const found = new Map(Object.entries(byDataset[id] ?? {}));
  for (const join of joins)
    for (const column of join.columns) {
      const narrowed = byDataset[join.id]?.[column.column_id];
      if (narrowed) found.set(column.id, narrowed);
    }
  for (const each of derived) {
    const behind = namesIn(each.expression).columnIds.find((column) => found.has(column));
    if (behind !== undefined) found.set(each.id, {});
  }
  return found;
}

function isExactTest(
  { column_id, expression }: ColumnFilter,
  { filters }: Capabilities,
  types: ReadonlyMap<string, DataType>,
  narrowed: ReadonlyMap<string, Narrowing>,
): boolean {
  const type = types.get(column_id);
  const isPromised = type !== undefined && filters?.operators[expression]?.includes(type);
  return Boolean(isPromised) && narrowed.get(column_id)?.filters?.[expression] === undefined;
}

function overSuperset({ options, joins, order, limit, having }: Query): string | undefined {
  if (options.pushdown) return "groups over a superset";
  if (joins?.length) return "joins over a superset";
  if (order?.length) return "an order over a superset";
  if (having?.length) return "having over a superset";
  return limit ? "a limit over a superset" : undefined;
}

function joinOver(
  { joins = [] }: Query,
  byDataset: NarrowOptions["narrowings"],
): string | undefined {
  const excluded = joins.find(({ id, right }) => byDataset[id]?.[right]?.grouping === false);
  return excluded && `a join over ${excluded.right} of ${excluded.id}`;
}

function beyondNarrowings(
  query: Query,
  narrowed: ReadonlyMap<string, Narrowing>,
): string | undefined {
  const { columns, filters, derived = [], order = [], having = [], joins = [], options } = query;
  const at = (id: string | undefined) => narrowed.get(id ?? "");
  const computed = derived.find((each) => narrowed.has(each.id));
  if (computed) return `a column computed from a narrowed one`;
  const excluded = filters
    .flatMap((filter) => leaves(filter))
    .find((leaf) => at(leaf.column_id)?.filters?.[leaf.expression] === "none");
  if (excluded) return `${excluded.expression} on ${excluded.column_id}`;
  for (const { left } of joins.flatMap(pairsOf))
    if (at(left)?.grouping === false) return `a join over ${left}`;
  for (const column of columns) {
    const { column_id, aggregation } = column;
    if (!aggregation && options.pushdown && at(column_id)?.grouping === false)
      return `groups by ${column_id}`;
    if (!aggregation) continue;
    const { needs } = aggregationDefinitions[aggregation];
    for (const id of [column_id, secondColumnId(column)]) {
      const { aggregations: inexact = [], order: orders, grouping } = at(id) ?? {};
      const isExcluded =
        inexact.includes(aggregation) ||
        (orders === false && needs === "order") ||
        (grouping === false && needs === "equality");
      if (isExcluded) return `${aggregation} of ${id}`;
    }
  }
  const isCount = (index: number) => columns[index]?.aggregation?.endsWith("count") === true;
  const sorted = order.find(
    ({ column }) => !isCount(column) && at(columns[column]?.column_id)?.order === false,
  );
  if (sorted) return `an order by ${columns[sorted.column]?.column_id}`;
  const tested = having
    .flatMap((tree) => leaves(tree))
    .find(
      ({ column, expression }) =>
        !isCount(column) && at(columns[column]?.column_id)?.filters?.[expression],
    );
  return tested && `having ${tested.expression} of ${columns[tested.column]?.column_id}`;
}

/** Loosens a filter: drops the filter, or lets nulls pass, or lets the values of another filter pass. */
function loosened(filter: Filter, { filters }: Query, random: Random): Filter {
  if (isAnd(filter))
    return { and: filter.and.map((each) => loosened(each, { filters } as Query, random)) };
  if (isOr(filter))
    return { or: filter.or.map((each) => loosened(each, { filters } as Query, random)) };
  const others = filters.flatMap((each) => leaves(each));
  switch (random.below(4)) {
    case 0:
      return filter;
    case 1:
      return { and: [] };
    case 2:
      return { or: [filter, { column_id: filter.column_id, expression: "is null" }] };
    default:
      return { or: [filter, random.pick(others)] };
  }
}
