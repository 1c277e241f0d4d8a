import type { JoinedPart, JoinedPlan, PlannedFilter, PlanStep } from "../queryPlan.ts";
import { type Filter, foldTree, mapTree, pairsOf } from "../../../plugins/protocol/index.ts";
import type { Connection } from "../../base/index.ts";
import { rowFilterColumnsFirst } from "./rowFilterColumnsFirst.ts";
import type { RowsScope } from "./findColumnIn.ts";
import { joinScopes } from "./unsupportedClauses.ts";
import { filteredColumns, namedColumns, sourcesOf } from "../resolve/namedColumns.ts";
import { passesNull } from "./passesNull.ts";
import { judgeSent, planFilters } from "./planFilters.ts";
import { pushedQuery } from "./planGroups.ts";
import type { QueriedDataset } from "../queriedDataset.ts";
import type { SecuredQuery } from "../secure/secure.ts";
import { hintedFilters, pushedFilters } from "./pushedFilters.ts";

export interface JoinedPlanOptions {
  readonly scratch: Pick<Connection, "fingerprint">;
  /** The steps that were planned for a single plugin. */
  readonly steps: readonly PlanStep[];
}

/**
 * Plans a join in the scratch plugin, for datasets that no single plugin joins. Scratch tests all filters: the filters
 * of a join before the join, and the filters of the query after it. A filter on one dataset is also sent to the
 * dataset's plugin if this cannot change the answer. This applies to filters of the dataset's own join, to filters of
 * the query on the root, and to filters on a joined dataset that null does not pass.
 */
export function planJoined(
  secured: SecuredQuery,
  { scratch, steps }: JoinedPlanOptions,
): JoinedPlan {
  const { query, dataset, joined } = secured;
  const named = new Set([
    ...namedColumns(query),
    ...(query.joins ?? []).flatMap(pairsOf).map(({ left }) => left),
  ]);
  const scopes = joinScopes(secured);
  const sent = new Map<Filter, QueriedDataset>();
  const all = [...query.filters, ...scopes.flatMap((scope) => scope?.query.filters ?? [])];
  const partOf = (
    each: QueriedDataset,
    aliases: ReadonlyMap<string, string>,
    keys: readonly string[] | undefined,
    scope: RowsScope | undefined,
  ): JoinedPart => {
    const { capabilities, fingerprint } = each.connection;
    if (fingerprint === scratch.fingerprint)
      return { dataset: each, pushed: undefined, sent: [], columns: [], vectors: [] };
    const own = query.filters.filter(
      (filter) =>
        filteredColumns(filter).every((id) => aliases.has(id)) &&
        (keys === undefined || failsOnNull(filter)),
    );
    const filters = pushedFilters(own, secured, each.connection);
    const before = scope ? withoutDerived(scope) : [];
    const ofJoin = scope ? pushedFilters(before, scope, each.connection) : [];
    for (const { filter } of [...filters, ...ofJoin]) sent.set(filter, each);
    const hints = [
      ...hintedFilters(own, secured, each.connection).map((filter) => renamed(filter, aliases)),
      ...(scope ? hintedFilters(before, scope, each.connection) : []),
    ];
    const needed = new Set([...aliases].flatMap(([id, own]) => (named.has(id) ? [own] : [])));
    keys?.forEach((id) => needed.add(id));
    if (scope) namedColumns(scope.query).forEach((id) => needed.add(id));
    const bound = scope
      ? sourcesOf(scope.query.filters.flatMap(filteredColumns), scope.query)
      : secured.rowFilterColumns;
    const used = rowFilterColumnsFirst(
      each.source.columns.filter(({ id }) => needed.has(id)),
      new Set(bound),
    );
    const fetched = capabilities.projection ? used : each.source.columns;
    return {
      dataset: each,
      pushed: {
        id: each.source.id,
        columns: fetched.map(({ id }) => ({ column_id: id })),
        filters: [
          ...filters.map((filter) => renamed(filter.sent, aliases)),
          ...ofJoin.map((filter) => filter.sent),
        ],
        options: { ...query.options, pushdown: false },
      },
      sent: [...filters, ...ofJoin].map(({ filter }) => all.indexOf(filter)),
      columns: used.map(({ id, type }) => ({ id, type })),
      vectors: used.map((column) => fetched.indexOf(column)),
      ...(hints.length > 0 && { hints }),
    };
  };
  const own = new Map(dataset.source.columns.map(({ id }) => [id, id]));
  const parts = [
    partOf(dataset, own, undefined, undefined),
    ...joined.map((each, index) => {
      const join = query.joins?.[index];
      const aliases = new Map(join?.columns.map(({ id, column_id }) => [id, column_id]));
      const keys = join ? pairsOf(join).map(({ right }) => right) : [];
      return partOf(each, aliases, keys, scopes[index]);
    }),
  ];
  const filters = planFilters(secured, (filter, scope, join) => {
    const each = join === undefined ? datasetOf(filter, secured) : joined[join];
    if (!each) return { pushdown: "none", reason: "the filter tests columns of several datasets" };
    if (each.connection.fingerprint === scratch.fingerprint) return { pushdown: "exact" };
    const judged = judgeSent(filter, scope, each.connection, sent.has(filter));
    const isLate = join === undefined && each !== dataset && !failsOnNull(filter);
    return isLate
      ? {
          pushdown: "none",
          reason: "null passes the filter, so the host tests the filter after the join",
        }
      : judged;
  });
  const connections = [dataset, ...joined].map(({ connection }) => connection);
  return {
    mode: "joined",
    parts,
    residual: { query: pushedQuery(query, query) },
    filters,
    steps: steps.map((each) => (each.clause === "filters" ? filterStep(filters) : each)),
  };

  function filterStep(planned: readonly PlannedFilter[]): PlanStep {
    const checked = connections.some(({ isTrusted }) => !isTrusted) && { checked: true as const };
    const held = query.filters.filter((filter, index) => {
      const isTrusted = sent.get(filter)?.connection.isTrusted !== false;
      return !sent.has(filter) || (isTrusted && planned[index]?.pushdown !== "exact");
    }).length;
    if (held === 0) return { clause: "filters", pushed: true, ...checked };
    const reason = `the host tests ${held} of ${query.filters.length} filters after the join`;
    return { clause: "filters", pushed: false, ...checked, reason };
  }
}

/** Returns the dataset whose columns a filter tests; undefined if it tests several datasets or computed columns. */
function datasetOf(
  filter: Filter,
  { query, dataset, joined }: SecuredQuery,
): QueriedDataset | undefined {
  const ids = filteredColumns(filter);
  const isOf = (own: readonly { readonly id: string }[]) =>
    ids.every((id) => own.some((column) => column.id === id));
  if (isOf(dataset.source.columns)) return dataset;
  return joined.find((_, index) => isOf(query.joins?.[index]?.columns ?? []));
}

/** Returns the filters of a join that the dataset's plugin may test. Filters on derived columns are left to scratch. */
function withoutDerived({ query }: RowsScope): readonly Filter[] {
  const derived = new Set(query.derived?.map(({ id }) => id));
  return query.filters.filter((filter) => !filteredColumns(filter).some((id) => derived.has(id)));
}

/** Returns a filter with the plugin's own column ids. */
function renamed(filter: Filter, aliases: ReadonlyMap<string, string>): Filter {
  return mapTree(filter, (leaf) => ({
    ...leaf,
    column_id: aliases.get(leaf.column_id) ?? leaf.column_id,
  }));
}

/** Returns whether a filter fails for a row with null in all of its columns. */
function failsOnNull(filter: Filter): boolean {
  return foldTree(filter, {
    leaf: (leaf) => !passesNull(leaf),
    and: (members) => members.includes(true),
    or: (members) => !members.includes(false),
  });
}
