import type { Knex } from "knex";
import type { Records, ResourceRow } from "../../base/index.ts";
import type { Message } from "./message.ts";
import { composeDigest } from "./composeDigest.ts";
import { findWithdrawn } from "./findWithdrawn.ts";

type Row = ResourceRow<"delivery">;
type Channel = ResourceRow<"channel">;

/** The members of a delivery that an attempt changes. */
type Change = Partial<
  Pick<Row, "attempts" | "outcome" | "problem" | "next_attempt_at" | "completed_at" | "message">
>;

/** A waiting message to one recipient: a single delivery, or a digest of many deliveries. */
export interface Sending {
  /** The id on the wire, the same for all attempts. */
  readonly id: string;
  readonly kind: string;
  readonly channel: Channel | undefined;
  readonly recipient: string | null;
  /** Number of attempts so far. */
  readonly attempts: number;
  readonly createdAt: Date;
  /** The message to send; null if it cannot be decrypted. */
  readonly message: Message | null;
  /** Why the message must no longer be sent; absent if it may be sent. */
  readonly withdrawn?: string;
  /** The data of the job that makes the next attempt. */
  readonly job: object;
  /** Writes the outcome of an attempt to each delivery of the message. */
  save(change: Change, transaction: Knex.Transaction): Promise<void>;
}

export interface SendingOptions {
  readonly records: Records;
  readonly knex: Knex;
  readonly publicUrl: () => string;
}

/** The data of a job: `deliveryId` or `digestId`. */
export interface SendingJob {
  readonly deliveryId?: unknown;
  readonly digestId?: unknown;
}

/**
 * Opens the message of a job; undefined if no delivery of the message is waiting. An opened digest accepts no further
 * deliveries.
 */
export function openSending(
  { deliveryId, digestId }: SendingJob,
  options: SendingOptions,
): Promise<Sending | undefined> {
  return digestId === undefined
    ? openDelivery(String(deliveryId), options)
    : openDigest(String(digestId), options);
}

async function openDelivery(
  id: string,
  { records, knex }: SendingOptions,
): Promise<Sending | undefined> {
  const [row] = await records.find("delivery", { id });
  if (!row || row.outcome !== "waiting") return undefined;
  const why = (await findWithdrawn({ deliveryId: id }, knex)).get(id);
  return {
    ...(why !== undefined && { withdrawn: why }),
    id,
    kind: row.kind,
    channel: await channelOf(row.channel_id, records),
    recipient: row.recipient,
    attempts: row.attempts,
    createdAt: row.created_at,
    message: row.message as unknown as Message | null,
    job: { deliveryId: id },
    async save(change, transaction) {
      await records.change("delivery", id, change, transaction);
    },
  };
}

async function openDigest(id: string, options: SendingOptions): Promise<Sending | undefined> {
  const { records, knex } = options;
  // Waits for transactions that add to this digest. Later transactions open another digest.
  const [digest]: { channel_id: string; recipient: string | null; opened_at: Date }[] = await knex(
    "digest",
  )
    .where({ id })
    .update({ closed_at: knex.raw("coalesce(closed_at, now())") })
    .returning(["channel_id", "recipient", "opened_at"]);
  await failWithdrawn(id, options);
  const channel = digest && (await channelOf(digest.channel_id, records));
  const message = channel && (await composeDigest(id, channel, options));
  if (!digest || !message) return undefined;
  const members = { digest_id: id, outcome: "waiting" };
  const [counted]: { attempts: number | null }[] = await knex("delivery")
    .where(members)
    .max("attempts as attempts");
  return {
    id,
    kind: message.kind,
    channel,
    recipient: digest.recipient,
    attempts: counted?.attempts ?? 0,
    createdAt: digest.opened_at,
    message,
    job: { digestId: id },
    async save(change, transaction) {
      const values = { ...change, updated_at: transaction.fn.now() };
      await transaction("delivery").where(members).update(values);
    },
  };
}

/** Cancels the deliveries of a digest whose users have lost the right to use alerts. */
async function failWithdrawn(digestId: string, { knex }: SendingOptions): Promise<void> {
  for (const [id, problem] of await findWithdrawn({ digestId }, knex)) {
    const now = knex.fn.now();
    await knex("delivery")
      .where({ id, outcome: "waiting" })
      .update({ outcome: "failed", problem, completed_at: now, updated_at: now });
  }
}

async function channelOf(id: string | null, records: Records): Promise<Channel | undefined> {
  const [channel] = id === null ? [] : await records.find("channel", { id });
  return channel;
}
