import type { Knex } from "knex";
import type { Records, ResourceRow } from "../../base/index.ts";
import type { NewJob } from "../queue/openQueue.ts";
import { addDeliveries } from "./addDeliveries.ts";
import { localeOf } from "./createMessage.ts";
import type { Message } from "./message.ts";
import { recipientsOf } from "./recipientsOf.ts";
import { namesOf } from "./namesOf.ts";

export interface TellOwnerOptions {
  readonly records: Records;
  readonly publicUrl: () => string;
  /** Whether the host sends mail. A user without another channel is then notified by mail. */
  readonly hasMail: boolean;
  readonly nowMs: number;
}

/** Minimum milliseconds between two notifications to the owner about the same channel. */
const quietMs = 86_400_000;

/**
 * Tells the owner of a channel that the channel does not work. Uses another working channel of the owner, preferably
 * mail, or else the owner's own address. Notifies at most once a day per channel, in the caller's transaction. Returns
 * the jobs that send the notification.
 */
export async function notifyOwner(
  channel: ResourceRow<"channel">,
  problem: string,
  { records, publicUrl, hasMail, nowMs }: TellOwnerOptions,
  transaction: Knex.Transaction,
): Promise<readonly NewJob[]> {
  const isFirst = await transaction("channel")
    .where({ id: channel.id })
    .whereRaw("(told_at is null or told_at < ?)", [new Date(nowMs - quietMs)])
    .update({ told_at: new Date(nowMs) });
  const [owner] = await records.find("user", { id: channel.user_id }, transaction);
  if (isFirst === 0 || !owner) return [];
  const message: Message = {
    kind: "channel",
    alertId: null,
    name: channel.name === null ? { en: channel.type } : namesOf(channel.name),
    notices: [],
    noticeCounts: {},
    condition: "",
    problem,
    failedChannelId: channel.id,
    slotMs: nowMs,
    zone: owner.timezone_id ?? "UTC",
    queryZone: "UTC",
    locale: await localeOf(owner.id, records, transaction),
    heads: [],
    forms: [],
    rows: [],
    rowCount: 0,
    link: `${publicUrl()}/alerts?tab=channels`,
  };
  const other = await workingChannelOf(channel, records, transaction);
  if (other)
    return addDeliveries(
      records,
      [{ alertEventId: null, channels: [other], message }],
      transaction,
    );
  const [recipient] = recipientsOf("email", { recipients: [owner.email] }) ?? [];
  if (!hasMail || recipient === undefined) return [];
  const values = { user_id: owner.id, kind: message.kind, recipient, message: { ...message } };
  const { id } = await records.insert("delivery", values, transaction);
  return [{ data: { deliveryId: id } }];
}

async function workingChannelOf(
  { id, user_id }: ResourceRow<"channel">,
  records: Records,
  transaction: Knex.Transaction,
): Promise<ResourceRow<"channel"> | undefined> {
  const row: { id: string } | undefined = await transaction("channel")
    .where({ user_id, failures: 0 })
    .whereNull("disabled_reason")
    .whereNot({ id })
    .orderByRaw("type = 'email' desc, created_at, id")
    .first("id");
  return row && (await records.find("channel", { id: row.id }, transaction))[0];
}
