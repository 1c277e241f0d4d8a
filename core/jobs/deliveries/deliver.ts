import type { Knex } from "knex";
import type { Log } from "../../catalog/index.ts";
import type { Records, ResourceRow } from "../../base/index.ts";
import type { NewJob } from "../queue/openQueue.ts";
import { mostFailures, noteFailure, noteSuccess, takeTurn } from "./breaker.ts";
import type { Attempt } from "./driver.ts";
import { openSending, type Sending, type SendingJob } from "./openSending.ts";
import { planAttempt } from "./planAttempt.ts";
import type { Send } from "./sendTo.ts";
import { notifyOwner } from "./notifyOwner.ts";

export interface DeliverOptions {
  readonly records: Records;
  readonly knex: Knex;
  readonly log: Pick<Log, "warn">;
  /** Makes one attempt to send a message. */
  readonly send: Send;
  /** Adds the jobs that send deliveries, in a transaction. */
  readonly addJobs: (jobs: readonly NewJob[], transaction: Knex.Transaction) => Promise<void>;
  readonly publicUrl: () => string;
  readonly hasMail: boolean;
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number;
}

type Channel = ResourceRow<"channel">;

/** Maximum age of a waiting message in milliseconds. Older messages are not sent. */
const mostAgeMs = 2 * 86_400_000;

/**
 * Makes one attempt to deliver a message: a delivery, or a digest of many deliveries. The outcome, the state of the
 * channel and the job of the next attempt are written in one transaction, so every waiting message has a job. A message
 * arrives twice only if the host dies between sending and recording it. The second copy then has the same id.
 */
export async function deliver(
  job: SendingJob,
  signal: AbortSignal,
  options: DeliverOptions,
): Promise<void> {
  const { knex, now } = options;
  const sending = await openSending(job, options);
  if (!sending) return;
  const { channel, recipient } = sending;
  if (sending.withdrawn !== undefined) return end(sending, "failed", sending.withdrawn, options);
  if (channel?.disabled_reason) return end(sending, "failed", channel.disabled_reason, options);
  if (channel && recipient !== null && channel.unsubscribed.includes(recipient))
    return end(sending, "unsubscribed", null, options);
  const until = channel && (await takeTurn(knex, channel, now()));
  if (until) return wait(sending, until, options);
  const attempt = await attemptOf(sending, signal, options);
  // An attempt that was aborted because the host stops does not count. Its job runs again.
  signal.throwIfAborted();
  await recordAttempt({ ...sending, attempts: sending.attempts + 1 }, attempt, options);
}

async function attemptOf(
  { id, message, recipient, channel }: Sending,
  signal: AbortSignal,
  { send, log }: DeliverOptions,
): Promise<Attempt> {
  if (message === null)
    return {
      outcome: "refused",
      problem: "the message cannot be decrypted; check whether MANIFOLD_SECRET has changed",
    };
  try {
    return await send({ id, message, recipient, signal }, channel);
  } catch (failure) {
    signal.throwIfAborted();
    log.warn({ err: failure, delivery: id }, "a message could not be sent");
    return {
      outcome: "later",
      problem: "the host could not send the message; its log contains the reason",
    };
  }
}

/** Records an attempt, and plans the next attempt if it may succeed. */
async function recordAttempt(
  sending: Sending,
  attempt: Attempt,
  options: DeliverOptions,
): Promise<void> {
  const { channel, attempts } = sending;
  if (!("problem" in attempt))
    return end(sending, attempt.outcome, null, { ...options, isTried: true });
  const waitS =
    attempt.outcome === "later" ? planAttempt(attempts, attempt.retryAfterS) : undefined;
  if (waitS === undefined)
    return end(sending, "failed", attempt.problem, {
      ...options,
      isTried: true,
      disables: attempt.outcome === "refused" && attempt.disables === true,
    });
  const { records, now } = options;
  const nextAt = new Date(now() + waitS * 1000);
  await records.transaction(async (transaction) => {
    const { problem } = attempt;
    await sending.save({ attempts, problem, next_attempt_at: nextAt }, transaction);
    await options.addJobs([{ data: sending.job, startAfter: nextAt }], transaction);
    if (!channel) return;
    const failures = await noteFailure(transaction, channel, now());
    if (failures === mostFailures)
      await notify(sending.kind, channel, problem, options, transaction);
  });
}

interface EndOptions extends DeliverOptions {
  /** Whether the channel was tried. Only then does the outcome change the state of the channel. */
  readonly isTried?: boolean;
  readonly disables?: boolean;
}

/** Completes a message. Once it has arrived, its rows are deleted from the catalog. */
async function end(
  { attempts, kind, recipient, channel, save }: Sending,
  outcome: "delivered" | "accepted" | "unsubscribed" | "failed",
  problem: string | null,
  options: EndOptions,
): Promise<void> {
  const { records, now, isTried = false, disables = false } = options;
  await records.transaction(async (transaction) => {
    await save(
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
    if (!channel || !isTried) return;
    if (outcome !== "failed") return noteSuccess(transaction, channel);
    // If the channel rejects one recipient, it may still accept other recipients.
    if (recipient === null) await noteFailure(transaction, channel, now());
    if (disables)
      await records.change("channel", channel.id, { disabled_reason: problem }, transaction);
    await notify(kind, channel, problem ?? "", options, transaction);
  });
}

/** Postpones a message without an attempt. A message that has waited too long fails. */
async function wait(sending: Sending, until: Date, options: DeliverOptions): Promise<void> {
  const { records, now } = options;
  if (now() - sending.createdAt.getTime() > mostAgeMs)
    return end(sending, "failed", "the channel has not worked for two days", options);
  // Spreads the messages of one channel over time.
  const nextAt = new Date(until.getTime() + Math.random() * 10_000);
  await records.transaction(async (transaction) => {
    await sending.save({ next_attempt_at: nextAt }, transaction);
    await options.addJobs([{ data: sending.job, startAfter: nextAt }], transaction);
  });
}

/** Notifies the owner of a channel, unless the failed message is itself a notification to an owner. */
async function notify(
  kind: string,
  channel: Channel,
  problem: string,
  options: DeliverOptions,
  transaction: Knex.Transaction,
): Promise<void> {
  if (kind === "channel") return;
  const nowMs = options.now();
  const jobs = await notifyOwner(channel, problem, { ...options, nowMs }, transaction);
  await options.addJobs(jobs, transaction);
}
