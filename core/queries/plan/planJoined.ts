import type { JoinedPart, JoinedPlan, PlanStep } from "../queryPlan.ts";
import { type Filter, mapTree, foldTree } from "../../../plugins/protocol/index.ts";
import type { Connection } from "../../contracts/index.ts";
import { rowFilterColumns, rowFilterColumnsFirst } from "./rowFilterColumns.ts";
import { joinScopes, type RowsScope } from "./unsupportedClauses.ts";
import { filteredColumns, namedColumns } from "../resolve/namedColumns.ts";
import { passesNull } from "./passesNull.ts";
import { pushedQuery } from "./planGroups.ts";
import type { QueriedDataset } from "../queriedDataset.ts";
import type { SecuredQuery } from "../secure/secure.ts";
import { hintedFilters, pushedFilters } from "./pushedFilters.ts";

export interface JoinedPlanOptions {
  readonly scratch: Pick<Connection, "fingerprint">;
  /** The steps of the plan for one plugin. */
  readonly steps: readonly PlanStep[];
}

/**
 * Plans a join in the scratch plugin, when no one plugin joins the datasets.
 * Scratch tests all filters: those of a join before it, those of the query after it. A filter of
 * one dataset is also sent to its plugin when that changes nothing: filters of its join, filters of
 * the query on the root, and
 * filters of a joined dataset that no null passes.
 */
export function planJoined(
  secured: SecuredQuery,
  { scratch, steps }: JoinedPlanOptions,
): JoinedPlan {
  const { query, dataset, joined } = secured;
  const named = new Set([...namedColumns(query), ...(query.joins ?? []).map(({ left }) => left)]);
  const scopes = joinScopes(secured);
  const sent = new Set<Filter>();
  const partOf = (
    each: QueriedDataset,
    aliases: ReadonlyMap<string, string>,
    right: string | undefined,
    scope: RowsScope | undefined,
  ): JoinedPart => {
    const { capabilities, fingerprint } = each.connection;
    if (fingerprint === scratch.fingerprint)
      return { dataset: each, pushed: undefined, columns: [], vectors: [] };
    const own = query.filters.filter(
      (filter) =>
        filteredColumns(filter).every((id) => aliases.has(id)) &&
        (right === undefined || failsOnNull(filter)),
    );
    const filters = pushedFilters(own, secured, each.connection);
    const before = scope ? withoutDerived(scope) : [];
    own.filter((filter) => filters.includes(filter)).forEach((filter) => sent.add(filter));
    const hints = [
      ...hintedFilters(own, secured, each.connection).map((filter) => renamed(filter, aliases)),
      ...(scope ? hintedFilters(before, scope, each.connection) : []),
    ];
    const needed = new Set([...aliases].flatMap(([id, own]) => (named.has(id) ? [own] : [])));
    if (right !== undefined) needed.add(right);
    if (scope) namedColumns(scope.query).forEach((id) => needed.add(id));
    const bound = scope
      ? new Set(scope.query.filters.flatMap(filteredColumns))
      : rowFilterColumns(each, query.filters);
    const used = rowFilterColumnsFirst(
      each.source.columns.filter(({ id }) => needed.has(id)),
      bound,
    );
    const asked = capabilities.projection ? used : each.source.columns;
    return {
      dataset: each,
      pushed: {
        id: each.source.id,
        columns: asked.map(({ id }) => ({ column_id: id })),
        filters: [
          ...filters.map((filter) => renamed(filter, aliases)),
          ...(scope ? pushedFilters(before, scope, each.connection) : []),
        ],
        options: { ...query.options, pushdown: false },
      },
      columns: used.map(({ id, type }) => ({ id, type })),
      vectors: used.map((column) => asked.indexOf(column)),
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
  const held = query.filters.filter((filter) => !sent.has(filter)).length;
  return {
    mode: "joined",
    parts,
    residual: { query: pushedQuery(query, query.limit) },
    steps: steps.map((each) => {
      if (each.clause !== "filters") return each;
      const checked = [dataset, ...joined].some(({ connection }) => !connection.isVerified);
      return held === 0
        ? { clause: each.clause, pushed: true, ...(checked && { checked }) }
        : {
            clause: each.clause,
            pushed: false,
            ...(checked && { checked }),
            reason: `${held} of ${query.filters.length} are tested after the join, by the host`,
          };
    }),
  };
}

/** The filters of a join that its dataset's plugin may test. Scratch computes derived columns. */
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

/** Returns whether a row with null in every column of a filter fails it. */
function failsOnNull(filter: Filter): boolean {
  return foldTree(filter, {
    leaf: (leaf) => !passesNull(leaf),
    and: (members) => members.includes(true),
    or: (members) => !members.includes(false),
  });
}
