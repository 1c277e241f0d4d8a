import { randomUUID } from "node:crypto";
import { type ApiCall, ApiError, isObject, type Principal } from "../../base/index.ts";
import { evaluateAlert } from "../alerts/evaluateAlert.ts";
import { stateOf, statusOf } from "../alerts/ledger.ts";
import { ruleOf } from "../alerts/ruleOf.ts";
import { step } from "../alerts/step.ts";
import { createMessage } from "../deliveries/createMessage.ts";
import type { Attempt } from "../deliveries/driver.ts";
import { type Message, mostRows } from "../deliveries/message.ts";
import { recipientsOf } from "../deliveries/recipientsOf.ts";
import type { ActionOptions } from "./actionOptions.ts";
import { readDraft } from "./readDraft.ts";
import { option, readOptions } from "./readOptions.ts";

const known = {
  deliver: option.oneOf("none", "me"),
  explain: option.flag,
};

/**
 * Evaluates an alert now, without changing its state or the ledger. Nothing is sent to the alert's channels. If
 * `options.deliver` is `me`, the caller gets a mail; if it is `none`, nobody gets one. With `options.explain`, the
 * result also explains how the query ran.
 * @throws {ApiError} as `readDraft`; FORBIDDEN for a mail if the call uses an embed token
 */
export async function testAlert(call: ApiCall, options: ActionOptions): Promise<object> {
  const { deliver, explain } = readOptions(call.body.options, known);
  const draft = await readDraft(call, options);
  const { principal, evaluatedAs } = draft;
  if (deliver === "me" && call.principal.restriction)
    throw new ApiError("FORBIDDEN", ["receive a test message; sign in, or use an API token"]);
  const before = draft.stored ? stateOf(draft.alert) : new Map();
  const slotMs = options.now();
  const about = { evaluated_as: evaluatedAs, status_before: statusOf(before) };
  if (!principal)
    return {
      ...about,
      outcome: "skipped",
      reason: "the alert's user no longer has a token",
      rows: null,
    };
  const query = explain && isObject(draft.alert.query) ? { explain: true } : {};
  const alert = { ...draft.alert, query: { ...draft.alert.query, ...query } };
  const evaluatedAt = { slotMs, signal: call.signal, state: before };
  const result = await evaluateAlert(alert, principal, evaluatedAt, options);
  const stepped = step(before, result.observation, ruleOf(alert), slotMs);
  const answer = result.outcome === "answered" ? result.answer : undefined;
  const evaluation = { slotMs, step: stepped, ...(answer && { answer }) };
  const message = await createMessage(draft.alert, evaluation, options);
  return {
    ...about,
    outcome: result.outcome,
    reason: result.reason ?? null,
    rows: answer ? answer.data.length : null,
    status_after: statusOf(stepped.state),
    transitions: stepped.transitions,
    notices: stepped.notices,
    condition: message.condition,
    heads: message.heads,
    data: answer?.data.slice(0, mostRows) ?? [],
    evaluated_at: new Date(slotMs),
    ...(answer?.explain && { explain: answer.explain }),
    delivered_to: deliver ?? "none",
    ...(deliver === "me" && {
      delivery: presentAttempt(await mailTo(call.principal, message, call.signal, options)),
    }),
  };
}

/** Returns the wire form of an attempt whose delivery is not recorded. */
export function presentAttempt(attempt: Attempt): object {
  const isSent = !("problem" in attempt);
  return { outcome: isSent ? attempt.outcome : "failed", problem: isSent ? null : attempt.problem };
}

async function mailTo(
  { email }: Principal,
  message: Message,
  signal: AbortSignal,
  { deliveries }: ActionOptions,
): Promise<Attempt> {
  const [recipient = null] = recipientsOf("email", { recipients: [email] }) ?? [];
  const sent = { id: randomUUID(), message: { ...message, kind: "test" as const }, recipient };
  return deliveries.send({ ...sent, signal }, undefined);
}
