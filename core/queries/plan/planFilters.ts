import { type Filter, leaves } from "../../../plugins/protocol/index.ts";
import type { Connection } from "../../base/index.ts";
import type { PlannedFilter } from "../queryPlan.ts";
import type { SecuredQuery } from "../secure/secure.ts";
import type { RowsScope } from "./findColumnIn.ts";
import { joinScopes, pushdownOf } from "./unsupportedClauses.ts";

/** Decides how one filter of a query is carried out, or of the join with the index `join`. */
export type JudgeFilter = (filter: Filter, scope: RowsScope, join?: number) => PlannedPushdown;

type PlannedPushdown = Pick<PlannedFilter, "pushdown" | "reason">;

/** Lists how each filter is carried out: first the filters of the query, then the filters of its joins, in order. */
export function planFilters(secured: SecuredQuery, judge: JudgeFilter): readonly PlannedFilter[] {
  const own = secured.query.filters.map((filter) => ({
    tests: testsOf(filter),
    ...judge(filter, secured),
  }));
  const joined = joinScopes(secured).flatMap((scope, join) =>
    scope
      ? scope.query.filters.map((filter) => ({
          join,
          tests: testsOf(filter),
          ...judge(filter, scope, join),
        }))
      : [],
  );
  return [...own, ...joined];
}

/**
 * Returns how a filter is pushed down, and why it is not exact. `isSent` states whether the plugin of the filtered rows
 * receives the filter.
 */
export function judgeSent(
  filter: Filter,
  scope: RowsScope,
  { capabilities, isVerified }: Pick<Connection, "capabilities" | "isVerified">,
  isSent: boolean,
): PlannedPushdown {
  const { pushdown, missing } = pushdownOf(filter, scope, capabilities);
  const reason = missing === undefined ? undefined : `the plugin does not promise ${missing}`;
  if (isSent && isVerified) return reason === undefined ? { pushdown } : { pushdown, reason };
  if (isSent) return { pushdown: "superset", reason: reason ?? "the plugin is not verified" };
  const unsent = isVerified
    ? "the host computes a column that the filter tests"
    : "the filter is not sent to an unverified plugin";
  return { pushdown: "none", reason: reason ?? unsent };
}

/**
 * Marks the filters that a plugin received but did not acknowledge; the host applies these filters itself. `sent`
 * contains the indexes of the sent filters. `applied` contains positions in `sent`, or is undefined if the plugin keeps
 * all its promises.
 */
export function withAcknowledged(
  filters: readonly PlannedFilter[],
  sent: readonly number[],
  applied: readonly number[] | undefined,
): readonly PlannedFilter[] {
  if (!applied) return filters;
  const silent = new Set(sent.filter((_, place) => !applied.includes(place)));
  return filters.map((filter, index) =>
    filter.pushdown === "exact" && silent.has(index)
      ? { ...filter, pushdown: "superset", reason: "the plugin did not acknowledge the filter" }
      : filter,
  );
}

function testsOf(filter: Filter): PlannedFilter["tests"] {
  return leaves(filter).map(({ column_id, expression }) => ({ column_id, expression }));
}
