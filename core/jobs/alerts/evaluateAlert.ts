import { PluginError } from "../../../plugins/protocol/index.ts";
import type { Principals } from "../../identity/index.ts";
import {
  ApiError,
  type ParameterOverride,
  type Principal,
  type ResourceRow,
} from "../../base/index.ts";
import type { Queries, QueryAnswer } from "../../queries/index.ts";
import { observe, type OtherAnswers, restOf, valuesQuery } from "./observe.ts";
import type { AlertState, Observation } from "./step.ts";

export interface EvaluateOptions {
  readonly queries: Pick<Queries, "evaluate">;
  readonly principals: Pick<Principals, "ofUsers" | "ofNewestTokens">;
  /** Counts a job against the quota of an organization. @throws {ApiError} if the quota is used up */
  readonly spendJob?: (organizationId: string) => Promise<void>;
}

/** The members of an alert that an evaluation reads. */
export type EvaluatedAlert = Pick<ResourceRow<"alert">, "query" | "recovery" | "instance_by">;

/** The result of evaluating an alert for one slot: the answer, or the reason why its query failed. */
export type SlotResult = { readonly observation: Observation } & (
  | {
      readonly outcome: "answered";
      /** Number of rows in the answer. */
      readonly rows: number;
      readonly answer: QueryAnswer;
      /** The present values of instances that were not ok and do not match; see `valuesQuery`. */
      readonly values?: QueryAnswer;
      /** Why some instances are not followed; absent if all instances are. */
      readonly reason?: string;
    }
  | { readonly outcome: "failed"; readonly reason: string }
);

/** One evaluation: its slot, the states before it, and its signal. */
export interface EvaluatedAt {
  readonly slotMs: number;
  readonly signal: AbortSignal;
  /** The states before the slot. Absent: the evaluation does not find out whether instances still report. */
  readonly state?: AlertState;
}

/**
 * Runs the queries of an alert for one slot, as a principal. Changes nothing. A failing source is returned as an
 * outcome, not thrown. If an instance that was not ok no longer matches, another query fetches its present values.
 * @throws the signal's reason
 */
export async function evaluateAlert(
  alert: EvaluatedAlert,
  principal: Principal,
  { slotMs, signal, state }: EvaluatedAt,
  { queries, spendJob }: Pick<EvaluateOptions, "queries" | "spendJob">,
): Promise<SlotResult> {
  try {
    await spendJob?.(principal.organizationId);
    const run = (query: unknown) => queries.evaluate(query, principal, signal, slotMs);
    const answer = await run(alert.query);
    const recovery = alert.recovery ? await run(alert.recovery) : undefined;
    const observation = observe(alert, answer);
    const query =
      state && observation.kind === "answer"
        ? valuesQuery(alert, state, observation.matching)
        : undefined;
    return resultOf(alert, answer, { recovery, values: query && (await run(query)) });
  } catch (failure) {
    signal.throwIfAborted();
    if (!(failure instanceof ApiError) && !(failure instanceof PluginError)) throw failure;
    return { outcome: "failed", reason: failure.message, observation: { kind: "error" } };
  }
}

/** Turns the answers for one slot into the result of the slot. */
export function resultOf(
  alert: EvaluatedAlert,
  answer: QueryAnswer,
  others: OtherAnswers = {},
): SlotResult {
  const reason = restOf(alert, answer);
  return {
    outcome: "answered",
    rows: answer.data.length,
    answer,
    observation: observe(alert, answer, others),
    ...(others.values && { values: others.values }),
    ...(reason !== undefined && { reason }),
  };
}

/** The members of an alert that determine the principal of its evaluation. */
export type UserOfAlert = Pick<
  ResourceRow<"alert">,
  "is_of_token" | "user_id" | "sticky_parameters"
>;

/** Returns the principal of one alert, as `principalsOf` does. */
export async function principalOf(
  alert: UserOfAlert,
  principals: EvaluateOptions["principals"],
): Promise<Principal | undefined> {
  const [principal] = await principalsOf([alert], principals);
  return principal;
}

/**
 * Returns the current principal of each alert: its user or, for an alert with `is_of_token`, the user's newest token.
 * Each principal has the sticky parameters of its alert. Undefined if the user no longer exists or no token of the user
 * is valid.
 */
export async function principalsOf(
  alerts: readonly UserOfAlert[],
  principals: EvaluateOptions["principals"],
): Promise<readonly (Principal | undefined)[]> {
  const of = (isOfToken: boolean) =>
    alerts.filter(({ is_of_token }) => is_of_token === isOfToken).map(({ user_id }) => user_id);
  const [users, tokens] = await Promise.all([
    principals.ofUsers(of(false)),
    principals.ofNewestTokens(of(true)),
  ]);
  return alerts.map((alert) => {
    const principal = (alert.is_of_token ? tokens : users).get(alert.user_id);
    return principal && withSticky(principal, alert);
  });
}

function withSticky(principal: Principal, { sticky_parameters }: UserOfAlert): Principal {
  if (!sticky_parameters) return principal;
  const sticky = Object.entries(sticky_parameters) as [string, ParameterOverride][];
  const { restriction, own } = principal;
  if (restriction) {
    const parameters = new Map([...restriction.parameters, ...sticky]);
    return { ...principal, restriction: { ...restriction, parameters } };
  }
  const { accountOverrides, metadata, issuer } = own ?? {};
  return {
    ...principal,
    own: {
      parameters: new Map([...(own?.parameters ?? []), ...sticky]),
      accountOverrides: accountOverrides ?? new Map(),
      metadata,
      issuer,
    },
  };
}
