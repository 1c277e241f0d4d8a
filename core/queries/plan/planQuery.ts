import type { Capabilities } from "../../../plugins/protocol/index.ts";
import {
  unsupportedColumns,
  dividedAverages,
  unsupportedFilter,
  unsupportedGrouping,
  unsupportedJoins,
  unsupportedCumulativeSum,
} from "./unsupportedClauses.ts";
import { filteredColumns, namedColumns } from "../resolve/namedColumns.ts";
import { rowFilterColumns, rowFilterColumnsFirst } from "./rowFilterColumns.ts";
import { planChecked } from "./planChecked.ts";
import { planFrequencies } from "./planFrequencies.ts";
import { isCumulativeSum, planGroups, pushedQuery } from "./planGroups.ts";
import type { SecuredQuery } from "../secure/secure.ts";
import { hintedFilters, pushedFilters } from "./pushedFilters.ts";
import type { PlanStep, QueryPlan } from "../queryPlan.ts";

/**
 * Splits a query into what the plugin promises to do exactly and a residual. The host repeats the
 * work of an unverified plugin over its answer.
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
  const held = (clause: PlanStep["clause"], isAsked: boolean): PlanStep[] =>
    isAsked ? [{ clause, pushed: false, reason: why }] : [];
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
  return groups ? { ...groups, steps } : planRows(secured, capabilities, steps);
}

function planVerified(secured: SecuredQuery, capabilities: Capabilities): QueryPlan {
  const { query, limited } = secured;
  const rows = [
    ...(query.joins ? [step("joins", unsupportedJoins(secured, capabilities))] : []),
    step("columns", unsupportedColumns(secured, capabilities)),
    step(
      "filters",
      firstOf(query.filters.map((filter) => unsupportedFilter(filter, secured, capabilities))),
    ),
    step(
      "grouping",
      query.options.pushdown ? unsupportedGrouping(secured, capabilities) : undefined,
    ),
  ];
  const running = unsupportedCumulativeSum(secured, capabilities);
  const averages = dividedAverages(query, capabilities);
  const groups = [
    step("having", query.having?.length && !capabilities.having ? "having" : undefined),
    ...(averages.length === 0 ? [] : [step("average", "the aggregation average")]),
    ...(running === undefined ? [] : [step("cumulativesum", running)]),
    step("order", query.order?.length && !capabilities.order ? "order" : undefined),
    step("limit", limited && !capabilities.limit ? "limit" : undefined),
  ];
  if (![...rows, ...groups].some(isResidual))
    return {
      mode: "whole",
      pushed: pushedQuery(query, capabilities.limit ? query.limit : undefined),
      residual: undefined,
      steps: [...rows, ...groups],
    };
  const why = "an earlier clause is residual";
  const canSum =
    !query.columns.some(isCumulativeSum) || capabilities.grouping?.aggregations.includes("sum");
  if (query.options.pushdown && !rows.some(isResidual) && canSum)
    return {
      ...planGroups(secured, averages),
      steps: [...rows, ...groups.map((each) => asResidual(each, why))],
    };
  const isSplit = query.options.pushdown && !query.joins;
  const frequencies = isSplit ? planFrequencies(secured, capabilities) : undefined;
  if (frequencies)
    return {
      ...frequencies,
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

/** Plans a query for a plugin that refused what it promised: plain rows, without filters. */
export function planWithoutPushdown(secured: SecuredQuery, capabilities: Capabilities): QueryPlan {
  return planQuery(secured, capabilities.projection ? { projection: true } : {});
}

/**
 * Plans a query without groups: for groups with more rows than `repeatRows` expands, or implausible
 * ones.
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
  const { query, dataset } = secured;
  const needed = new Set(namedColumns(query));
  const used = dataset.source.columns.filter((column) => needed.has(column.id));
  const columns = rowFilterColumnsFirst(
    used.length > 0 ? used : dataset.source.columns.slice(0, 1),
    rowFilterColumns(dataset, query.filters),
  );
  const sent = capabilities.projection ? columns : dataset.source.columns;
  const derived = new Set(query.derived?.map(({ id }) => id));
  const pushable = query.filters.filter(
    (filter) => !filteredColumns(filter).some((id) => derived.has(id)),
  );
  const connection = { ...dataset.connection, capabilities };
  const hints = hintedFilters(pushable, secured, connection);
  return {
    mode: "rows",
    pushed: {
      id: query.id,
      columns: sent.map(({ id }) => ({ column_id: id })),
      filters: pushedFilters(pushable, secured, connection),
      options: { ...query.options, pushdown: false },
    },
    ...(hints.length > 0 && { hints }),
    residual: {
      columns: columns.map(({ id, type }) => ({ id, type })),
      vectors: columns.map((column) => sent.indexOf(column)),
      query: pushedQuery(query, query.limit),
    },
    steps,
  };
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
