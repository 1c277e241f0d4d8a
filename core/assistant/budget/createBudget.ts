import type { Knex } from "knex";
import { ApiError, type Principal, type Records } from "../../base/index.ts";

/** The limits on how much an organization and each of its users may use the model. */
export interface BudgetLimits {
  readonly tokensPerDay: number;
  readonly userTokensPerDay: number;
  readonly callsPerMinute: number;
  readonly userCallsPerMinute: number;
}

/** A call that the budget allowed. Until `settle` is called, the budget counts an estimate of the call's tokens. */
export interface Allowance {
  /** Replaces the estimate with the number of tokens that the call actually used. */
  settle(tokenCount: number): Promise<void>;
}

/** Limits the use of the model. Counts are in the catalog, so all hosts share them. */
export interface Budget {
  /**
   * Counts a call with its estimated tokens against the budgets of the caller's user and organization. If one of the
   * budgets is used up, neither changes. `note` records the call in the same transaction.
   * @throws {ApiError} ASSISTANT_BUDGET_SPENT with Retry-After
   */
  take(
    principal: Pick<Principal, "organizationId" | "userId">,
    tokenCount: number,
    note?: (transaction: Knex.Transaction) => Promise<void>,
  ): Promise<Allowance>;
}

export interface BudgetOptions {
  readonly knex: Knex;
  readonly records: Pick<Records, "transaction">;
  readonly limits: BudgetLimits;
  /** Returns an organization's limit of tokens per day. Undefined if the common limit applies. */
  readonly tokensOf?: (organizationId: string) => Promise<number | undefined>;
  readonly now?: () => number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** Number of days for which counts are kept. */
const keptDays = 400;

/** Counts a call. The statement locks rows in a fixed order, so that concurrent calls cannot deadlock. */
const count = `
  insert into assistant_usage as u (scope_id, span, starts_at, call_count, token_count)
  select * from (values
    (:organization::uuid, 'day', :day::timestamptz, 1, :tokens::bigint),
    (:organization::uuid, 'minute', :minute::timestamptz, 1, :tokens::bigint),
    (:user::uuid, 'day', :day::timestamptz, 1, :tokens::bigint),
    (:user::uuid, 'minute', :minute::timestamptz, 1, :tokens::bigint)) as t
  order by 1, 2
  on conflict (scope_id, span, starts_at) do update
     set call_count = u.call_count + 1, token_count = u.token_count + excluded.token_count
  returning scope_id, span, call_count, token_count`;

/**
 * Settles a call. The statement locks rows in the same order as `count`, because a plain update locks them in any
 * order.
 */
const settle = `
  with settled as materialized (
    select scope_id, span, starts_at from assistant_usage
     where scope_id in (:organization::uuid, :user::uuid) and span = 'day' and starts_at = :day::timestamptz
     order by scope_id, span
       for update)
  update assistant_usage u set token_count = greatest(0, u.token_count + :more::bigint)
    from settled s
   where u.scope_id = s.scope_id and u.span = s.span and u.starts_at = s.starts_at`;

const forget = `
  delete from assistant_usage
   where scope_id in (:organization::uuid, :user::uuid)
     and (starts_at < :oldest::timestamptz or (span = 'minute' and starts_at < :day::timestamptz))`;

interface Counted {
  readonly scope_id: string;
  readonly span: "day" | "minute";
  readonly call_count: number;
  readonly token_count: string;
}

/**
 * Creates the budget. A call that the budget refuses is not counted. If a host dies during a call, the estimate remains
 * counted.
 */
export function createBudget({
  knex,
  records,
  limits: given,
  tokensOf,
  now = Date.now,
}: BudgetOptions): Budget {
  return {
    async take({ organizationId, userId }, tokenCount, note) {
      const own = await tokensOf?.(organizationId);
      const limits = own === undefined ? given : { ...given, tokensPerDay: own };
      const nowMs = now();
      const start = (spanMs: number) => new Date(nowMs - (nowMs % spanMs));
      const bindings = {
        organization: organizationId,
        user: userId,
        day: start(dayMs),
        minute: start(minuteMs),
        oldest: new Date(nowMs - keptDays * dayMs),
      };
      const untilEnd = (spanMs: number) => Math.ceil((spanMs - (nowMs % spanMs)) / 1000);
      await records.transaction(async (transaction) => {
        const { rows }: { rows: readonly Counted[] } = await transaction.raw(count, {
          ...bindings,
          tokens: tokenCount,
        });
        for (const row of rows) {
          const isUser = row.scope_id === userId;
          const [used, most, what, setting] = limitOf(row, isUser, limits);
          if (used <= most) continue;
          const retryAfterS = untilEnd(row.span === "day" ? dayMs : minuteMs);
          const whose = isUser ? "you" : "your organization";
          throw new ApiError(
            "ASSISTANT_BUDGET_SPENT",
            [`${whose} may use ${most} ${what}`, setting],
            { retryAfterS },
          );
        }
        if (rows.some(({ span, call_count }) => span === "day" && call_count === 1))
          await transaction.raw(forget, bindings);
        await note?.(transaction);
      });
      return {
        async settle(taken) {
          await knex.raw(settle, { ...bindings, more: taken - tokenCount });
        },
      };
    },
  };
}

function limitOf(
  { span, call_count, token_count }: Counted,
  isUser: boolean,
  limits: BudgetLimits,
): readonly [used: number, most: number, what: string, setting: string] {
  const { tokensPerDay, userTokensPerDay, callsPerMinute, userCallsPerMinute } = limits;
  const whose = isUser ? "USER_" : "";
  return span === "day"
    ? [
        Number(token_count),
        isUser ? userTokensPerDay : tokensPerDay,
        "tokens per day",
        `MANIFOLD_AI_${whose}TOKENS_PER_DAY`,
      ]
    : [
        call_count,
        isUser ? userCallsPerMinute : callsPerMinute,
        "calls per minute",
        `MANIFOLD_AI_${whose}CALLS_PER_MINUTE`,
      ];
}
