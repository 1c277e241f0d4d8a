import { type Filter, leaves } from "../../../plugins/protocol/index.ts";
import type { Connection } from "../../base/index.ts";
import type { PlannedFilter } from "../queryPlan.ts";
import type { SecuredQuery } from "../secure/secure.ts";
import type { RowsScope } from "./findColumnIn.ts";
import { riskOf } from "./pushedFilters.ts";
import { reasonFor } from "./reasonFor.ts";
import { joinScopes, pushdownOf } from "./unsupportedClauses.ts";

/**
 * Decides how one filter is carried out. The filter belongs to the join with the index `join`, or to the query if
 * `join` is absent.
 */
export type JudgeFilter = (filter: Filter, scope: RowsScope, join?: number) => PlannedPushdown;

/** The members of a connection that decide how it carries out a filter. */
export type JudgedConnection = Pick<Connection, "capabilities" | "isTrusted" | "lack" | "unused">;

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
 * Returns how a filter is pushed down, with the reason if it is not exact. `isSent` states whether the plugin of the
 * filtered rows receives the filter.
 */
export function judgeSent(
  filter: Filter,
  scope: RowsScope,
  connection: JudgedConnection,
  isSent: boolean,
): PlannedPushdown {
  const { capabilities, isTrusted } = connection;
  const { pushdown, missing } = pushdownOf(filter, scope, capabilities);
  const reason = missing === undefined ? undefined : reasonFor(connection, missing);
  if (isSent && isTrusted) return reason === undefined ? { pushdown } : { pushdown, reason };
  if (isSent)
    return {
      pushdown: "superset",
      reason: reason ?? "the host tests the filters of plugins over HTTP again",
    };
  const unsent = isTrusted
    ? "the host computes a column that the filter tests"
    : unsentReason(filter, scope);
  return { pushdown: "none", reason: reason ?? unsent };
}

/** Returns why the host does not send a filter to a plugin over HTTP that promises the filter. */
function unsentReason(filter: Filter, { query }: RowsScope): string {
  const risk = riskOf(filter, query.filters, query);
  return risk === undefined
    ? "the host does not send this filter to plugins over HTTP"
    : `the host does not send this filter to plugins over HTTP, because ${risk}`;
}

/**
 * Marks the filters that a plugin received but did not acknowledge; the host applies these filters itself. `sent`
 * contains the indexes of the sent filters. `applied` contains the positions in `sent` of the acknowledged filters;
 * undefined if the plugin applied all filters that it promises exactly.
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
