import type { Knex } from "knex";
import type { Records } from "../../contracts/index.ts";
import type { NewJob } from "../queue/openQueue.ts";
import type { Message } from "./message.ts";

/**
 * Adds a delivery for each channel of an alert that is not disabled, in the transaction of the evaluation. Returns
 * their jobs.
 */
export async function addDeliveries(
  records: Records,
  { alertId, alertEventId, message }: AddedDeliveries,
  transaction: Knex.Transaction,
): Promise<readonly NewJob[]> {
  const channels: { id: string }[] = await transaction("channel as c")
    .join("alert_channel as l", "l.channel_id", "c.id")
    .where("l.alert_id", alertId)
    .whereNull("c.disabled_reason")
    .select("c.id");
  const made = await records.insertMany(
    "delivery",
    channels.map(({ id }) => ({
      alertevent_id: alertEventId,
      channel_id: id,
      message: { ...message },
    })),
    transaction,
  );
  return made.map(({ id }) => ({ data: { deliveryId: id } }));
}

interface AddedDeliveries {
  readonly alertId: string;
  readonly alertEventId: string;
  readonly message: Message;
}
