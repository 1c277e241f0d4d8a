import type { Knex } from "knex";
import { arrayBinding } from "../../catalog/index.ts";
import type { Records, ResourceRow } from "../../base/index.ts";
import type { Notify } from "../alerts/createEvaluator.ts";
import type { Recorded } from "../alerts/ledger.ts";
import { addDeliveries, recipientsLeft } from "./addDeliveries.ts";
import { addToDigests, type Digested } from "./addToDigests.ts";
import { channelsOf } from "./channelsOf.ts";
import { createMessages } from "./createMessage.ts";
import type { DeliverOptions } from "./deliver.ts";
import type { DigestPace } from "./digestPace.ts";
import { readersOf } from "./readersOf.ts";

export interface NotifyOptions {
  readonly records: Records;
  readonly publicUrl: () => string;
  readonly addJobs: DeliverOptions["addJobs"];
  readonly pace?: DigestPace;
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number;
}

const usualDigestAfter = 5;
const usualDigestMs = 60_000;

type Channel = ResourceRow<"channel">;

/**
 * Creates the function that adds the messages of evaluations in their transaction. A channel sends the first few
 * messages of a minute at once, as separate messages. A digest collects all other messages of the channel, and is sent
 * a minute after it was opened. Runs about eleven statements for any number of evaluations.
 */
export function createNotify(options: NotifyOptions): Notify {
  const { records, addJobs, now, pace = {} } = options;
  const { digestAfter = usualDigestAfter, digestMs = usualDigestMs } = pace;
  return async (recorded, transaction) => {
    const alerts = recorded.map(({ alert }) => alert);
    const channels = await channelsOf(alerts, records, transaction);
    if (channels.size === 0) return;
    const ids = new Set([...channels.values()].flat().map(({ id }) => id));
    const counts = await countRecent([...ids], transaction);
    const alone: { readonly each: Recorded; readonly channels: Channel[] }[] = [];
    const digested: Digested[] = [];
    for (const each of recorded) {
      const own: Channel[] = [];
      for (const channel of channels.get(each.alert.id) ?? []) {
        const count = counts.get(channel.id) ?? 0;
        counts.set(channel.id, count + 1);
        if (count < digestAfter) own.push(channel);
        else digested.push({ alertEventId: each.alertEventId, channel });
      }
      if (own.length > 0) alone.push({ each, channels: own });
    }
    const reported = alone.map(({ each }) => each);
    const messages = await createMessages(reported, options, transaction);
    const readerOf = await readersOf(
      reported.map(({ alert }) => alert.user_id),
      alone
        .flatMap((each) => each.channels.flatMap(recipientsLeft))
        .filter((each) => each !== null),
      transaction,
    );
    const added = alone.map(({ each: { alertEventId, alert }, channels: notified }, index) => {
      const messageTo = messages[index]!;
      return {
        alertEventId,
        channels: notified,
        message: messageTo(),
        messageTo: (recipient: string | null) => messageTo(readerOf(alert.user_id, recipient)),
      };
    });
    const jobs = [
      ...(await addDeliveries(records, added, transaction)),
      ...(await addToDigests(records, digested, new Date(now() + digestMs), transaction)),
    ];
    await addJobs(jobs, transaction);
  };
}

/** Counts the evaluations of the last minute that each channel reported as separate messages. */
async function countRecent(
  channelIds: readonly string[],
  transaction: Knex.Transaction,
): Promise<Map<string, number>> {
  const rows: { channel_id: string; count: string }[] = await transaction("delivery")
    .whereRaw("channel_id = any(?::uuid[])", [arrayBinding(channelIds)])
    .whereRaw("created_at > now() - interval '1 minute'")
    .whereNotNull("alertevent_id")
    .whereNull("digest_id")
    .groupBy("channel_id")
    .select("channel_id")
    .countDistinct("alertevent_id as count");
  return new Map(rows.map(({ channel_id, count }) => [channel_id, Number(count)]));
}
