import type { Knex } from "knex";
import type { Records, ResourceRow } from "../../base/index.ts";
import type { NewJob } from "../queue/openQueue.ts";
import type { Message } from "./message.ts";
import { recipientsOf } from "./recipientsOf.ts";

/** The parts of a channel that say who gets its messages. */
export type ToldChannel = Pick<ResourceRow<"channel">, "id" | "type" | "config" | "unsubscribed">;

/** A message, the channels it goes to, and the evaluation or the export that it reports. */
export interface NewDeliveries {
  /** Null for a message about a channel that does not work, and for an export. */
  readonly alertEventId: string | null;
  /** An address that several channels name gets an export once. */
  readonly exportEventId?: string;
  readonly channels: readonly ToldChannel[];
  readonly message: Message;
}

/**
 * Adds a delivery for each recipient of each channel of each message, in the caller's transaction; who unsubscribed
 * gets none. Returns their jobs.
 */
export async function addDeliveries(
  records: Records,
  added: readonly NewDeliveries[],
  transaction: Knex.Transaction,
): Promise<readonly NewJob[]> {
  const made = await records.insertMany("delivery", added.flatMap(valuesOf), transaction);
  return made.map(({ id }) => ({ data: { deliveryId: id } }));
}

function valuesOf({ alertEventId, exportEventId, channels, message }: NewDeliveries) {
  const values = channels.flatMap((channel) =>
    recipientsLeft(channel).map((recipient) => ({
      alertevent_id: alertEventId,
      exportevent_id: exportEventId ?? null,
      channel_id: channel.id,
      kind: message.kind,
      recipient,
      message: { ...message },
    })),
  );
  if (exportEventId === undefined) return values;
  return [...new Map(values.map((each) => [each.recipient ?? each.channel_id, each])).values()];
}

/**
 * Returns the recipients of a channel that have not unsubscribed. One null for a channel without recipients, or with
 * none that is valid: its delivery says so.
 */
export function recipientsLeft({
  type,
  config,
  unsubscribed,
}: ToldChannel): readonly (string | null)[] {
  const recipients = recipientsOf(type, config);
  if (!recipients || recipients.length === 0) return [null];
  return recipients.filter((each) => !unsubscribed.includes(each));
}
