import type { Capabilities, Filter } from "../../../plugins/protocol/index.ts";
import type { Connection } from "../../base/index.ts";
import {
  unsupportedColumns,
  dividedAverages,
  unsupportedAggregation,
  unsupportedFilter,
  unsupportedGrouping,
  unsupportedHaving,
  unsupportedJoins,
  unsupportedOrder,
  unsupportedCumulativeSum,
} from "./unsupportedClauses.ts";
import { filteredColumns, namedColumns } from "../resolve/namedColumns.ts";
import { rowFilterColumnsFirst } from "./rowFilterColumnsFirst.ts";
import { planChecked } from "./planChecked.ts";
import { planFrequencies } from "./planFrequencies.ts";
import { judgeSent, planFilters } from "./planFilters.ts";
import { isCumulativeSum, planGroups, pushedQuery } from "./planGroups.ts";
import type { SecuredQuery } from "../secure/secure.ts";
import { hintedFilters, pushedFilters } from "./pushedFilters.ts";
import type { PlanStep, QueryPlan } from "../queryPlan.ts";

/**
 * Splits a query into the part for which the plugin promises exact results, and a residual. For an unverified plugin,
 * the host repeats the work over the plugin's answer.
 */
export function planQuery(secured: SecuredQuery, capabilities: Capabilities): QueryPlan {
  return secured.dataset.connection.isVerified
    ? planVerified(secured, capabilities)
    : planUnverified(secured, capabilities);
}

function planUnverified(secured: SecuredQuery, capabilities: Capabilities): QueryPlan {
  const { query, limited } = secured;
  const groups = planChecked(secured, capabilities);
  const pushed = pushedFilters(query.filters, secured, { capabilities, isVerified: false }).length;
  const left = query.filters.length - pushed;
  const why = "the plugin is not verified";
  const held = (clause: PlanStep["clause"], isRequested: boolean): PlanStep[] =>
    isRequested ? [{ clause, pushed: false, reason: why }] : [];
  const filters: PlanStep =
    left === 0
      ? { clause: "filters", pushed: true, checked: true }
      : {
          clause: "filters",
          pushed: false,
          checked: true,
          reason: `${left} of ${query.filters.length} are tested only by the host`,
        };
  const grouping: PlanStep = groups
    ? { clause: "grouping", pushed: true, checked: true }
    : {
        clause: "grouping",
        pushed: false,
        reason: unsupportedGrouping(secured, capabilities)
          ? `the plugin does not promise ${unsupportedGrouping(secured, capabilities)}`
          : "the answer cannot be computed from groups that the host can check",
      };
  const steps = [
    ...held("joins", query.joins !== undefined),
    step("columns", capabilities.projection ? undefined : "projection"),
    query.filters.length > 0 ? filters : step("filters", undefined),
    ...(query.options.pushdown ? [grouping] : [step("grouping", undefined)]),
    ...(groups?.mode === "frequencies" ? [step("frequencies", undefined)] : []),
    ...held("having", Boolean(query.having?.length)),
    ...held(
      "average",
      query.columns.some(({ aggregation }) => aggregation === "average"),
    ),
    ...held("cumulativesum", query.columns.some(isCumulativeSum)),
    ...held("order", Boolean(query.order?.length)),
    ...held("limit", limited),
  ];
  return groups
    ? {
        ...groups,
        ...checkedFilters(secured, capabilities),
        steps,
      }
    : planRows(secured, capabilities, steps);
}

/**
 * Plans a query for a verified plugin. `silentCount` is the number of filters that the plugin did not acknowledge in an
 * earlier attempt.
 */
function planVerified(
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
      ? unacknowledged(silentCount, query.filters.length)
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
    step("limit", limited && !capabilities.limit ? "limit" : undefined),
  ];
  if (![...rows, ...groups].some(isResidual))
    return {
      mode: "whole",
      pushed: pushedQuery(query, capabilities.limit ? query.limit : undefined),
      residual: undefined,
      ...whole,
      steps: [...rows, ...groups],
    };
  const why = "an earlier clause is residual";
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
  return planRows(secured, capabilities, steps);
}

/** Plans a query after the plugin rejected a clause that it promises: plain rows, without filters. */
export function planWithoutPushdown(secured: SecuredQuery, capabilities: Capabilities): QueryPlan {
  return planQuery(secured, capabilities.projection ? { projection: true } : {});
}

/** Plans a query for plain rows, after a verified plugin did not acknowledge `silentCount` of its filters. */
export function planWithoutTrust(
  secured: SecuredQuery,
  capabilities: Capabilities,
  silentCount: number,
): QueryPlan {
  return planVerified(secured, capabilities, silentCount);
}

/**
 * Plans a query without groups, after groups were implausible or would expand into more rows than `repeatRows` allows.
 */
export function planWithoutGroups(secured: SecuredQuery, capabilities: Capabilities): QueryPlan {
  const { grouping: _, ...rest } = capabilities;
  return planQuery(secured, rest);
}

function planRows(
  secured: SecuredQuery,
  capabilities: Capabilities,
  steps: readonly PlanStep[],
): QueryPlan {
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
      query: pushedQuery(query, query.limit),
    },
    steps,
  };
}

function checkedFilters(secured: SecuredQuery, capabilities: Capabilities) {
  const connection = { capabilities, isVerified: false };
  const { filters, sent } = plannedOver(secured, connection, secured.query.filters);
  return { filters, sent };
}

/** Plans the filters that a plugin receives for plain rows, or for groups that the host checks. */
function plannedOver(
  secured: SecuredQuery,
  connection: Pick<Connection, "capabilities" | "isVerified">,
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

function unacknowledged(silentCount: number, filterCount: number): PlanStep {
  const reason = `the plugin did not acknowledge ${silentCount} of ${filterCount} filters`;
  return { clause: "filters", pushed: false, reason };
}

function step(clause: PlanStep["clause"], unsupported: string | undefined): PlanStep {
  return unsupported === undefined
    ? { clause, pushed: true }
    : { clause, pushed: false, reason: `the plugin does not promise ${unsupported}` };
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
