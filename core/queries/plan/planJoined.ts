import type { JoinedPart, JoinedPlan, PlannedFilter, PlanStep } from "../queryPlan.ts";
import { type Filter, mapTree, foldTree } from "../../../plugins/protocol/index.ts";
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
 * Plans a join in the scratch plugin, for datasets that no single plugin joins. Scratch tests all filters: those of a
 * join before it, those of the query after it. If that cannot change the answer, a filter on one dataset is also sent
 * to the dataset's plugin. Such filters are: filters of the dataset's own join, filters of the query on the root, and
 * filters on a joined dataset that null does not pass.
 */
export function planJoined(
  secured: SecuredQuery,
  { scratch, steps }: JoinedPlanOptions,
): JoinedPlan {
  const { query, dataset, joined } = secured;
  const named = new Set([...namedColumns(query), ...(query.joins ?? []).map(({ left }) => left)]);
  const scopes = joinScopes(secured);
  const sent = new Map<Filter, QueriedDataset>();
  const all = [...query.filters, ...scopes.flatMap((scope) => scope?.query.filters ?? [])];
  const partOf = (
    each: QueriedDataset,
    aliases: ReadonlyMap<string, string>,
    right: string | undefined,
    scope: RowsScope | undefined,
  ): JoinedPart => {
    const { capabilities, fingerprint } = each.connection;
    if (fingerprint === scratch.fingerprint)
      return { dataset: each, pushed: undefined, sent: [], columns: [], vectors: [] };
    const own = query.filters.filter(
      (filter) =>
        filteredColumns(filter).every((id) => aliases.has(id)) &&
        (right === undefined || failsOnNull(filter)),
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
    if (right !== undefined) needed.add(right);
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
      const { columns = [], right } = query.joins?.[index] ?? {};
      const aliases = new Map(columns.map(({ id, column_id }) => [id, column_id]));
      return partOf(each, aliases, right, scopes[index]);
    }),
  ];
  const filters = planFilters(secured, (filter, scope, join) => {
    const each = join === undefined ? datasetOf(filter, secured) : joined[join];
    if (!each) return { pushdown: "none", reason: "the filter tests columns of several datasets" };
    if (each.connection.fingerprint === scratch.fingerprint) return { pushdown: "exact" };
    const judged = judgeSent(filter, scope, each.connection, sent.has(filter));
    const isLate = join === undefined && each !== dataset && !failsOnNull(filter);
    return isLate
      ? { pushdown: "none", reason: "null passes the filter, so it is tested after the join" }
      : judged;
  });
  const connections = [dataset, ...joined].map(({ connection }) => connection);
  return {
    mode: "joined",
    parts,
    residual: { query: pushedQuery(query, query.limit) },
    filters,
    steps: steps.map((each) => (each.clause === "filters" ? filterStep(filters) : each)),
  };

  function filterStep(planned: readonly PlannedFilter[]): PlanStep {
    const checked = connections.some(({ isVerified }) => !isVerified) && { checked: true as const };
    const held = query.filters.filter((filter, index) => {
      const isTrusted = sent.get(filter)?.connection.isVerified !== false;
      return !sent.has(filter) || (isTrusted && planned[index]?.pushdown !== "exact");
    }).length;
    if (held === 0) return { clause: "filters", pushed: true, ...checked };
    const reason = `${held} of ${query.filters.length} are tested by the host after the join`;
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
