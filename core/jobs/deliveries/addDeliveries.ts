import type { Knex } from "knex";
import type { Records, ResourceRow } from "../../base/index.ts";
import type { NewJob } from "../queue/openQueue.ts";
import type { Message } from "./message.ts";
import { recipientsOf } from "./recipientsOf.ts";

/** The members of a channel that determine who receives its messages. */
export type NotifiedChannel = Pick<
  ResourceRow<"channel">,
  "id" | "type" | "config" | "unsubscribed"
>;

/** A message, the channels that send it, and the evaluation or export that the message reports. */
export interface NewDeliveries {
  /** Id of the evaluation; null for an export, and for a message about a channel that does not work. */
  readonly alertEventId: string | null;
  /**
   * Id of the export; absent for other messages. If several channels share an address, the address receives the export
   * once.
   */
  readonly exportEventId?: string;
  readonly channels: readonly NotifiedChannel[];
  readonly message: Message;
  /** Returns the message in the language of a recipient. Absent: all recipients get the same message. */
  readonly messageTo?: (recipient: string | null) => Message;
}

/**
 * Adds one delivery per message, channel and recipient, in the caller's transaction. Recipients who unsubscribed get no
 * delivery. Returns the jobs of the deliveries.
 */
export async function addDeliveries(
  records: Records,
  added: readonly NewDeliveries[],
  transaction: Knex.Transaction,
): Promise<readonly NewJob[]> {
  const made = await records.insertMany("delivery", added.flatMap(valuesOf), transaction);
  return made.map(({ id }) => ({ data: { deliveryId: id } }));
}

function valuesOf({ alertEventId, exportEventId, channels, message, messageTo }: NewDeliveries) {
  const values = channels.flatMap((channel) =>
    recipientsLeft(channel).map((recipient) => ({
      alertevent_id: alertEventId,
      exportevent_id: exportEventId ?? null,
      channel_id: channel.id,
      kind: message.kind,
      recipient,
      message: { ...(messageTo?.(recipient) ?? message) },
    })),
  );
  if (exportEventId === undefined) return values;
  return [...new Map(values.map((each) => [each.recipient ?? each.channel_id, each])).values()];
}

/**
 * Returns the recipients of a channel that have not unsubscribed. For a channel type without recipients, or if no
 * recipient is valid, returns a single null; its delivery reports the problem.
 */
export function recipientsLeft({
  type,
  config,
  unsubscribed,
}: NotifiedChannel): readonly (string | null)[] {
  const recipients = recipientsOf(type, config);
  if (!recipients || recipients.length === 0) return [null];
  return recipients.filter((each) => !unsubscribed.includes(each));
}
