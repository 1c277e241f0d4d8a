import type { Knex } from "knex";
import type { Records, ResourceRow } from "../../contracts/index.ts";
import type { NewJob } from "../queue/openQueue.ts";
import type { Message } from "./message.ts";
import { recipientsOf } from "./recipientsOf.ts";

/** A message, the channels it goes to, and the evaluation that it reports. */
export interface NewDeliveries {
  /** Null for a message about a channel that does not work. */
  readonly alertEventId: string | null;
  readonly channels: readonly Pick<
    ResourceRow<"channel">,
    "id" | "type" | "config" | "unsubscribed"
  >[];
  readonly message: Message;
}

/**
 * Adds a delivery for each recipient of each channel, in the caller's transaction; who unsubscribed gets none. Returns
 * their jobs.
 */
export async function addDeliveries(
  records: Records,
  { alertEventId, channels, message }: NewDeliveries,
  transaction: Knex.Transaction,
): Promise<readonly NewJob[]> {
  const made = await records.insertMany(
    "delivery",
    channels.flatMap(({ id, type, config, unsubscribed }) =>
      recipientsLeft(recipientsOf(type, config), unsubscribed).map((recipient) => ({
        alertevent_id: alertEventId,
        channel_id: id,
        kind: message.kind,
        recipient,
        message: { ...message },
      })),
    ),
    transaction,
  );
  return made.map(({ id }) => ({ data: { deliveryId: id } }));
}

/** One null for a channel without recipients, or with none that is valid: its delivery says so. */
function recipientsLeft(
  recipients: readonly string[] | null,
  unsubscribed: readonly string[],
): readonly (string | null)[] {
  if (!recipients || recipients.length === 0) return [null];
  return recipients.filter((each) => !unsubscribed.includes(each));
}

/**
 * Finds the channels of an alert that are not disabled and that its user may still use: own channels, and
 * channels shared with the user or with an organization of the user.
 */
export async function channelsOf(
  { id, user_id }: Pick<ResourceRow<"alert">, "id" | "user_id">,
  records: Records,
  transaction: Knex.Transaction,
): Promise<readonly ResourceRow<"channel">[]> {
  const rows: { id: string }[] = await transaction("channel as c")
    .join("alert_channel as l", "l.channel_id", "c.id")
    .where("l.alert_id", id)
    .whereNull("c.disabled_reason")
    .whereRaw(
      `(c.user_id = ? or exists (select 1 from channel_user u where u.channel_id = c.id and u.user_id = ?)
        or exists (select 1 from channel_organization o join organization_user m on m.organization_id = o.organization_id
                    where o.channel_id = c.id and m.user_id = ?))`,
      [user_id, user_id, user_id],
    )
    .select("c.id");
  return records.find("channel", { id: rows.map((row) => row.id) }, transaction);
}
