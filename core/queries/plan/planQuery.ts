import {
  aggregationDefinitions,
  type Capabilities,
  type Filter,
} from "../../../plugins/protocol/index.ts";
import type { Connection } from "../../base/index.ts";
import {
  unsupportedColumns,
  dividedAverages,
  unsupportedAggregation,
  unsupportedFilter,
  unsupportedGrouping,
  unsupportedGroupLimit,
  unsupportedHaving,
  unsupportedJoins,
  unsupportedOrder,
  unsupportedCumulativeSum,
} from "./unsupportedClauses.ts";
import { filteredColumns, namedColumns } from "../resolve/namedColumns.ts";
import { reasonFor } from "./reasonFor.ts";
import { rowFilterColumnsFirst } from "./rowFilterColumnsFirst.ts";
import { planChecked } from "./planChecked.ts";
import { planFrequencies } from "./planFrequencies.ts";
import { type JudgedConnection, judgeSent, planFilters } from "./planFilters.ts";
import { isCumulativeSum, planGroups, pushedQuery } from "./planGroups.ts";
import type { SecuredQuery } from "../secure/secure.ts";
import { type OrderedQuery, pushOrder } from "./pushOrder.ts";
import { hintedFilters, pushedFilters } from "./pushedFilters.ts";
import type { PlanStep, QueryPlan } from "../queryPlan.ts";

/**
 * Splits a query into the part for which the plugin promises exact results, and a residual. For a plugin that is
 * not trusted, which is every plugin over HTTP, the host repeats the work over the plugin's answer.
 */
export function planQuery(secured: SecuredQuery, capabilities: Capabilities): QueryPlan {
  return secured.dataset.connection.isTrusted
    ? planTrusted(secured, capabilities)
    : planUntrusted(secured, capabilities);
}

function planUntrusted(secured: SecuredQuery, capabilities: Capabilities): QueryPlan {
  const { plan, filteredCount } = checkedPlan(secured, capabilities);
  const ordered = pushOrder(plan, secured, capabilities);
  const steps = checkedSteps(secured, capabilities, { plan, filteredCount, ordered });
  return { ...plan, ...(ordered.pushed && { pushed: ordered.pushed }), steps };
}

interface Checked {
  readonly plan: Omit<QueryPlan, "steps">;
  /** Number of filters that the plugin receives. */
  readonly filteredCount: number;
}

function checkedPlan(secured: SecuredQuery, capabilities: Capabilities): Checked {
  const groups = planChecked(secured, capabilities);
  const filteredCount = pushedFilters(secured.query.filters, secured, {
    capabilities,
    isTrusted: false,
  }).length;
  const plan = groups
    ? { ...groups, ...checkedFilters(secured, capabilities) }
    : planRows(secured, capabilities);
  return { plan, filteredCount };
}

/** Lists the steps for a plugin over HTTP, with the true reason for each part that the plugin does not receive. */
function checkedSteps(
  secured: SecuredQuery,
  capabilities: Capabilities,
  { plan, filteredCount, ordered }: Checked & { readonly ordered: OrderedQuery },
): readonly PlanStep[] {
  const { query, limited } = secured;
  const { connection } = secured.dataset;
  const left = query.filters.length - filteredCount;
  const held = (
    clause: PlanStep["clause"],
    isRequested: boolean,
    what: string,
    unsupported: string | undefined,
  ): PlanStep[] => {
    if (!isRequested) return [];
    return unsupported === undefined
      ? [
          {
            clause,
            pushed: false,
            reason: `the host does not request ${what} from plugins over HTTP`,
          },
        ]
      : [step(clause, unsupported, connection)];
  };
  const sorted = (clause: "order" | "limit", isRequested: boolean): PlanStep[] => {
    if (!isRequested) return [];
    return ordered.pushed
      ? [{ clause, pushed: true, checked: true }]
      : [{ clause, pushed: false, reason: ordered.reasons[clause] }];
  };
  const filters: PlanStep =
    left === 0
      ? { clause: "filters", pushed: true, checked: true }
      : {
          clause: "filters",
          pushed: false,
          checked: true,
          reason: `only the host tests ${left} of ${query.filters.length} filters`,
        };
  const ungrouped = unsupportedGrouping(secured, capabilities) ?? unofferedPart(secured);
  const grouping: PlanStep =
    plan.mode === "rows"
      ? {
          clause: "grouping",
          pushed: false,
          reason:
            ungrouped === undefined
              ? "the answer cannot be computed from groups that the host can check"
              : reasonFor(connection, ungrouped),
        }
      : { clause: "grouping", pushed: true, checked: true };
  const average = query.columns.find(({ aggregation }) => aggregation === "average");
  return [
    ...held("joins", query.joins !== undefined, "joins", unsupportedJoins(secured, capabilities)),
    step("columns", capabilities.projection ? undefined : "projection", connection),
    query.filters.length > 0 ? filters : step("filters", undefined),
    ...(query.options.pushdown ? [grouping] : [step("grouping", undefined)]),
    ...(plan.mode === "frequencies" ? [step("frequencies", undefined)] : []),
    ...held(
      "having",
      Boolean(query.having?.length),
      "filters on groups",
      unsupportedHaving(secured, capabilities),
    ),
    ...held(
      "average",
      average !== undefined,
      "averages",
      average && unsupportedAggregation(average, secured, capabilities),
    ),
    ...held(
      "cumulativesum",
      query.columns.some(isCumulativeSum),
      "cumulative sums",
      unsupportedCumulativeSum(secured, capabilities),
    ),
    ...sorted("order", Boolean(query.order?.length)),
    ...held(
      "grouplimit",
      query.groupLimit !== undefined,
      "limits per group",
      unsupportedGroupLimit(secured, capabilities),
    ),
    ...sorted("limit", limited),
  ];
}

/**
 * Describes an aggregation on which the host does not rely, and without which it cannot check groups or compute a
 * measure; undefined if there is none.
 */
function unofferedPart({ query, dataset }: SecuredQuery): string | undefined {
  const left = new Set(dataset.connection.unused?.map(({ capability }) => capability));
  const needed = query.columns.flatMap(({ aggregation }) =>
    aggregation ? (aggregationDefinitions[aggregation].mergedFrom ?? []) : [],
  );
  const part = ["count", ...needed].find((each) => left.has(`grouping.aggregations.${each}`));
  return part === undefined ? undefined : `the aggregation ${part}`;
}

/**
 * Plans a query for a trusted plugin. `silentCount` is the number of filters that the plugin did not acknowledge in an
 * earlier attempt.
 */
function planTrusted(
  secured: SecuredQuery,
  capabilities: Capabilities,
  silentCount = 0,
): QueryPlan {
  const { query, limited } = secured;
  const whole = {
    filters: planFilters(secured, () => ({ pushdown: "exact" })),
    sent: query.filters.map((_, index) => index),
  };
  const rows = [
    ...(query.joins ? [step("joins", unsupportedJoins(secured, capabilities))] : []),
    step("columns", unsupportedColumns(secured, capabilities)),
    silentCount > 0
      ? {
          clause: "filters" as const,
          pushed: false,
          reason: unacknowledged(silentCount, query.filters.length),
        }
      : step(
          "filters",
          firstOf(query.filters.map((filter) => unsupportedFilter(filter, secured, capabilities))),
        ),
    step(
      "grouping",
      query.options.pushdown ? unsupportedGrouping(secured, capabilities) : undefined,
    ),
  ];
  const running = unsupportedCumulativeSum(secured, capabilities);
  const averages = dividedAverages(secured, capabilities);
  const average = averages
    .flatMap((index) => query.columns[index] ?? [])
    .map((column) => unsupportedAggregation(column, secured, capabilities))
    .find((missing) => missing !== undefined);
  const groups = [
    step("having", unsupportedHaving(secured, capabilities)),
    ...(average === undefined ? [] : [step("average", average)]),
    ...(running === undefined ? [] : [step("cumulativesum", running)]),
    step("order", unsupportedOrder(secured, capabilities)),
    ...(query.groupLimit ? [step("grouplimit", unsupportedGroupLimit(secured, capabilities))] : []),
    step("limit", limited && !capabilities.limit ? "limit" : undefined),
  ];
  if (![...rows, ...groups].some(isResidual))
    return {
      mode: "whole",
      pushed: pushedQuery(query, {
        ...(query.groupLimit && { groupLimit: query.groupLimit }),
        ...(capabilities.limit && query.limit && { limit: query.limit }),
      }),
      residual: undefined,
      ...whole,
      steps: [...rows, ...groups],
    };
  const why = "the host computes an earlier clause";
  const canSum = query.columns
    .filter(isCumulativeSum)
    .every(
      (column) => !unsupportedAggregation({ ...column, aggregation: "sum" }, secured, capabilities),
    );
  if (query.options.pushdown && !rows.some(isResidual) && canSum)
    return {
      ...planGroups(secured, averages),
      ...whole,
      steps: [...rows, ...groups.map((each) => asResidual(each, why))],
    };
  const isSplit = query.options.pushdown && !query.joins && silentCount === 0;
  const frequencies = isSplit ? planFrequencies(secured, capabilities) : undefined;
  if (frequencies)
    return {
      ...frequencies,
      ...whole,
      steps: [
        ...rows,
        { clause: "frequencies", pushed: true },
        ...groups.map((each) => asResidual(each, why)),
      ],
    };
  const isBefore = ({ clause }: PlanStep) => clause === "columns" || clause === "filters";
  const steps = [...rows, ...groups].map((each) => (isBefore(each) ? each : asResidual(each, why)));
  return { ...planRows(secured, capabilities), steps };
}

/** Plans a query after the plugin rejected a clause that it promises: plain rows, without filters. */
export function planWithoutPushdown(secured: SecuredQuery, capabilities: Capabilities): QueryPlan {
  return planQuery(secured, capabilities.projection ? { projection: true } : {});
}

/** Plans a query for plain rows, after a trusted plugin did not acknowledge `silentCount` of its filters. */
export function planWithoutTrust(
  secured: SecuredQuery,
  capabilities: Capabilities,
  silentCount: number,
): QueryPlan {
  return planTrusted(secured, capabilities, silentCount);
}

/**
 * Plans a query without order and limit, after a plugin over HTTP did not acknowledge `silentCount` of its filters.
 * Rows that a filter removes must not count toward the limit.
 */
export function planWithoutOrder(
  secured: SecuredQuery,
  capabilities: Capabilities,
  silentCount: number,
): QueryPlan {
  const { plan, filteredCount } = checkedPlan(secured, capabilities);
  const reason = unacknowledged(silentCount, secured.query.filters.length);
  const ordered = { reasons: { order: reason, limit: reason } };
  return { ...plan, steps: checkedSteps(secured, capabilities, { plan, filteredCount, ordered }) };
}

/**
 * Plans a query without groups, after groups were implausible or would expand into more rows than `repeatRows` allows.
 */
export function planWithoutGroups(secured: SecuredQuery, capabilities: Capabilities): QueryPlan {
  const { grouping: _, ...rest } = capabilities;
  return planQuery(secured, rest);
}

function planRows(secured: SecuredQuery, capabilities: Capabilities): Omit<QueryPlan, "steps"> {
  const { query, dataset, rowFilterColumns } = secured;
  const needed = new Set(namedColumns(query));
  const used = dataset.source.columns.filter((column) => needed.has(column.id));
  const columns = rowFilterColumnsFirst(
    used.length > 0 ? used : dataset.source.columns.slice(0, 1),
    new Set(rowFilterColumns),
  );
  const sent = capabilities.projection ? columns : dataset.source.columns;
  const derived = new Set(query.derived?.map(({ id }) => id));
  const pushable = query.filters.filter(
    (filter) => !filteredColumns(filter).some((id) => derived.has(id)),
  );
  const connection = { ...dataset.connection, capabilities };
  const { pushed, ...planned } = plannedOver(secured, connection, pushable);
  const hints = hintedFilters(pushable, secured, connection);
  return {
    mode: "rows",
    pushed: {
      id: query.id,
      columns: sent.map(({ id }) => ({ column_id: id })),
      filters: pushed,
      options: { ...query.options, pushdown: false },
    },
    ...planned,
    ...(hints.length > 0 && { hints }),
    residual: {
      columns: columns.map(({ id, type }) => ({ id, type })),
      vectors: columns.map((column) => sent.indexOf(column)),
      query: pushedQuery(query, query),
    },
  };
}

function checkedFilters(secured: SecuredQuery, capabilities: Capabilities) {
  const connection = { ...secured.dataset.connection, capabilities, isTrusted: false };
  const { filters, sent } = plannedOver(secured, connection, secured.query.filters);
  return { filters, sent };
}

/** Plans the filters that a plugin receives for plain rows, or for groups that the host checks. */
function plannedOver(
  secured: SecuredQuery,
  connection: JudgedConnection,
  pushable: readonly Filter[],
): Pick<QueryPlan, "filters" | "sent"> & { readonly pushed: readonly Filter[] } {
  const pushed = pushedFilters(pushable, secured, connection);
  const isSent = (filter: Filter) => pushed.some((each) => each.filter === filter);
  return {
    pushed: pushed.map(({ sent }) => sent),
    filters: planFilters(secured, (filter, scope) =>
      judgeSent(filter, scope, connection, isSent(filter)),
    ),
    sent: pushed.map(({ filter }) => secured.query.filters.indexOf(filter)),
  };
}

function unacknowledged(silentCount: number, filterCount: number): string {
  return `the plugin did not acknowledge ${silentCount} of ${filterCount} filters`;
}

function step(
  clause: PlanStep["clause"],
  unsupported: string | undefined,
  connection: Pick<Connection, "lack" | "unused"> = {},
): PlanStep {
  return unsupported === undefined
    ? { clause, pushed: true }
    : { clause, pushed: false, reason: reasonFor(connection, unsupported) };
}

function isResidual(each: PlanStep): boolean {
  return !each.pushed;
}

function asResidual(each: PlanStep, reason: string): PlanStep {
  return each.pushed ? { clause: each.clause, pushed: false, reason } : each;
}

function firstOf(clauses: readonly (string | undefined)[]): string | undefined {
  return clauses.find((unsupported) => unsupported !== undefined);
}
