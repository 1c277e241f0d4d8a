import { PluginError } from "../../../plugins/protocol/index.ts";
import type { Principals } from "../../access/index.ts";
import type { ParameterOverride, Principal, ResourceRow } from "../../contracts/index.ts";
import { ApiError } from "../../errors.ts";
import type { Queries, QueryAnswer } from "../../queries/index.ts";
import { observe, restOf } from "./observe.ts";
import type { Observation } from "./step.ts";

export interface AskOptions {
  readonly queries: Pick<Queries, "evaluate">;
  readonly principals: Principals;
}

/** The parts of an alert that are asked. */
export type AskedAlert = Pick<ResourceRow<"alert">, "query" | "recovery" | "instance_by">;

/** The finding of one slot. */
export type Asked = { readonly observation: Observation } & (
  | {
      readonly outcome: "answered";
      /** Rows of the answer. */
      readonly rows: number;
      readonly answer: QueryAnswer;
      /** Why not every instance is followed. */
      readonly reason?: string;
    }
  | { readonly outcome: "failed"; readonly reason: string }
);

/**
 * Asks the queries of an alert for one slot as a principal; changes nothing. A source that fails is an outcome;
 * nothing is thrown for it.
 * @throws the signal's reason
 */
export async function askAlert(
  alert: AskedAlert,
  principal: Principal,
  { slotMs, signal }: { readonly slotMs: number; readonly signal: AbortSignal },
  { queries }: Pick<AskOptions, "queries">,
): Promise<Asked> {
  try {
    const ask = (query: unknown) => queries.evaluate(query, principal, signal, slotMs);
    const answer = await ask(alert.query);
    const recovery = alert.recovery ? await ask(alert.recovery) : undefined;
    const reason = restOf(alert, answer);
    return {
      outcome: "answered",
      rows: answer.data.length,
      answer,
      observation: observe(alert, answer, recovery),
      ...(reason !== undefined && { reason }),
    };
  } catch (failure) {
    signal.throwIfAborted();
    if (!(failure instanceof ApiError) && !(failure instanceof PluginError)) throw failure;
    return { outcome: "failed", reason: failure.message, observation: { kind: "error" } };
  }
}

/** The user as it is now, or the newest token of the user; with the parameters that are sticky. */
export async function principalOf(
  alert: Pick<ResourceRow<"alert">, "is_of_token" | "user_id" | "sticky_parameters">,
  principals: Principals,
): Promise<Principal | undefined> {
  const principal = alert.is_of_token
    ? await principals.ofNewestToken(alert.user_id)
    : await principals.ofUser(alert.user_id);
  if (!principal || !alert.sticky_parameters) return principal;
  const sticky = Object.entries(alert.sticky_parameters) as [string, ParameterOverride][];
  const { restriction, own } = principal;
  if (restriction)
    return {
      ...principal,
      restriction: {
        ...restriction,
        parameters: new Map([...restriction.parameters, ...sticky]),
      },
    };
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
