import type { Knex } from "knex";
import type { Log } from "../../catalog/index.ts";
import type { Records, ResourceRow } from "../../contracts/index.ts";
import type { NewJob } from "../queue/openQueue.ts";
import { mostFailures, noteFailure, noteSuccess, takeTurn } from "./breaker.ts";
import type { Attempt } from "./driver.ts";
import type { Message } from "./message.ts";
import { planAttempt } from "./planAttempt.ts";
import type { Send } from "./sendTo.ts";
import { tellOwner } from "./tellOwner.ts";

export interface DeliverOptions {
  readonly records: Records;
  readonly knex: Knex;
  readonly log: Pick<Log, "warn">;
  /** Makes one attempt. */
  readonly send: Send;
  /** Adds jobs of deliveries in a transaction. */
  readonly addJobs: (jobs: readonly NewJob[], transaction: Knex.Transaction) => Promise<void>;
  readonly publicUrl: () => string;
  readonly hasMail: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

type Row = ResourceRow<"delivery">;
type Channel = ResourceRow<"channel">;

/** A message that has waited this long is not sent any more. */
const mostAgeMs = 2 * 86_400_000;

/**
 * Makes one attempt to deliver a message. The outcome, the state of the channel and the job of the next attempt are
 * one transaction, so every message that waits has a job. A message arrives twice only when the host dies between
 * sending and recording, and then with the same id.
 */
export async function deliver(
  deliveryId: string,
  signal: AbortSignal,
  options: DeliverOptions,
): Promise<void> {
  const { records, knex, now } = options;
  const [delivery] = await records.find("delivery", { id: deliveryId });
  if (!delivery || delivery.outcome !== "waiting") return;
  const [channel] =
    delivery.channel_id === null ? [] : await records.find("channel", { id: delivery.channel_id });
  if (channel?.disabled_reason)
    return end(delivery, undefined, "failed", channel.disabled_reason, options);
  if (channel && delivery.recipient !== null && channel.unsubscribed.includes(delivery.recipient))
    return end(delivery, undefined, "unsubscribed", null, options);
  const until = channel && (await takeTurn(knex, channel, now()));
  if (until) return wait(delivery, until, options);
  const attempt = await attemptOf(delivery, channel, signal, options);
  // An attempt that the end of the host cut short is not one: its job runs again.
  signal.throwIfAborted();
  await recordAttempt({ ...delivery, attempts: delivery.attempts + 1 }, channel, attempt, options);
}

async function attemptOf(
  { id, message, recipient }: Row,
  channel: Channel | undefined,
  signal: AbortSignal,
  { send, log }: DeliverOptions,
): Promise<Attempt> {
  if (message === null)
    return { outcome: "refused", problem: "the message is lost; was MANIFOLD_SECRET changed?" };
  try {
    return await send({ id, message: message as unknown as Message, recipient, signal }, channel);
  } catch (failure) {
    signal.throwIfAborted();
    log.warn({ err: failure, delivery: id }, "a message could not be sent");
    return { outcome: "later", problem: "the host could not send the message; its log says why" };
  }
}

/** Records an attempt, and plans the next one where it may help. */
async function recordAttempt(
  delivery: Row,
  channel: Channel | undefined,
  attempt: Attempt,
  options: DeliverOptions,
): Promise<void> {
  if (!("problem" in attempt)) return end(delivery, channel, attempt.outcome, null, options);
  const waitS =
    attempt.outcome === "later" ? planAttempt(delivery.attempts, attempt.retryAfterS) : undefined;
  if (waitS === undefined)
    return end(delivery, channel, "failed", attempt.problem, {
      ...options,
      disables: attempt.outcome === "refused" && attempt.disables === true,
    });
  const { records, now } = options;
  const nextAt = new Date(now() + waitS * 1000);
  await records.transaction(async (transaction) => {
    const { id, attempts } = delivery;
    const { problem } = attempt;
    await records.change(
      "delivery",
      id,
      { attempts, problem, next_attempt_at: nextAt },
      transaction,
    );
    await options.addJobs([{ data: { deliveryId: id }, startAfter: nextAt }], transaction);
    if (!channel) return;
    const failures = await noteFailure(transaction, channel, now());
    if (failures === mostFailures) await tell(delivery, channel, problem, options, transaction);
  });
}

interface EndOptions extends DeliverOptions {
  readonly disables?: boolean;
}

/** Ends a delivery. Once it has arrived, its rows leave the catalog. */
async function end(
  { id, attempts, kind, recipient }: Row,
  channel: Channel | undefined,
  outcome: "delivered" | "accepted" | "unsubscribed" | "failed",
  problem: string | null,
  options: EndOptions,
): Promise<void> {
  const { records, now, disables = false } = options;
  await records.transaction(async (transaction) => {
    await records.change(
      "delivery",
      id,
      {
        attempts,
        outcome,
        problem,
        next_attempt_at: null,
        completed_at: new Date(now()),
        ...(outcome !== "failed" && { message: null }),
      },
      transaction,
    );
    if (!channel) return;
    if (outcome !== "failed") return noteSuccess(transaction, channel);
    // One recipient who is refused says nothing about the others.
    if (recipient === null) await noteFailure(transaction, channel, now());
    if (disables)
      await records.change("channel", channel.id, { disabled_reason: problem }, transaction);
    await tell({ kind }, channel, problem ?? "", options, transaction);
  });
}

/** Puts a delivery off without an attempt; one that has waited too long fails. */
async function wait(delivery: Row, until: Date, options: DeliverOptions): Promise<void> {
  const { records, now } = options;
  if (now() - delivery.created_at.getTime() > mostAgeMs) {
    const problem = "the channel did not work for two days";
    return end(delivery, undefined, "failed", problem, options);
  }
  // Messages that wait for one channel come back one after the other.
  const nextAt = new Date(until.getTime() + Math.random() * 10_000);
  await records.transaction(async (transaction) => {
    const { id } = delivery;
    await records.change("delivery", id, { next_attempt_at: nextAt }, transaction);
    await options.addJobs([{ data: { deliveryId: id }, startAfter: nextAt }], transaction);
  });
}

/** Notifies the owner of a channel, but not about a failed notification of this kind. */
async function tell(
  { kind }: Pick<Row, "kind">,
  channel: Channel,
  problem: string,
  options: DeliverOptions,
  transaction: Knex.Transaction,
): Promise<void> {
  if (kind === "channel") return;
  const nowMs = options.now();
  const jobs = await tellOwner(channel, problem, { ...options, nowMs }, transaction);
  await options.addJobs(jobs, transaction);
}
