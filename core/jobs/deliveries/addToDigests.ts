import { randomUUID } from "node:crypto";
import type { Knex } from "knex";
import { arrayBinding } from "../../catalog/index.ts";
import type { Records } from "../../base/index.ts";
import type { NewJob } from "../queue/openQueue.ts";
import { recipientsLeft, type NotifiedChannel } from "./addDeliveries.ts";

/** An evaluation that a channel reports in a digest. */
export interface Digested {
  readonly alertEventId: string;
  readonly channel: NotifiedChannel;
}

interface OpenDigest {
  readonly id: string;
  readonly channel_id: string;
  readonly recipient: string | null;
  readonly is_new: boolean;
}

/**
 * Adds a delivery for each recipient to the open digest of its channel, in the caller's transaction. Opens a digest if
 * the channel has none. An open digest cannot be closed before the transaction is complete. Returns the jobs that send
 * new digests at `dueAt`. Runs two statements.
 */
export async function addToDigests(
  records: Records,
  added: readonly Digested[],
  dueAt: Date,
  transaction: Knex.Transaction,
): Promise<readonly NewJob[]> {
  const members = added.flatMap(({ alertEventId, channel }) =>
    recipientsLeft(channel).map((recipient) => ({
      alertEventId,
      channelId: channel.id,
      recipient,
    })),
  );
  const parts = new Map(members.map((each) => [nameOf(each.channelId, each.recipient), each]));
  if (parts.size === 0) return [];
  // Sorted in a fixed order, so that two hosts wait for each other instead of deadlocking.
  const names = [...parts.keys()].toSorted();
  const wanted = names.map((name) => parts.get(name)!);
  const { rows }: { rows: OpenDigest[] } = await transaction.raw(openStatement, [
    arrayBinding(wanted.map(() => randomUUID())),
    arrayBinding(wanted.map(({ channelId }) => channelId)),
    arrayBinding(wanted.map(({ recipient }) => recipient)),
  ]);
  const digests = new Map(rows.map((row) => [nameOf(row.channel_id, row.recipient), row.id]));
  await records.insertMany(
    "delivery",
    members.map(({ alertEventId, channelId, recipient }) => ({
      alertevent_id: alertEventId,
      channel_id: channelId,
      recipient,
      digest_id: digests.get(nameOf(channelId, recipient)) ?? null,
    })),
    transaction,
  );
  return rows
    .filter((row) => row.is_new)
    .map(({ id }) => ({ data: { digestId: id }, startAfter: dueAt }));
}

const nameOf = (channelId: string, recipient: string | null) => `${channelId} ${recipient ?? ""}`;

/** The update changes no values. It locks the row, so that the digest stays open until this transaction is complete. */
const openStatement = `
  insert into digest (id, channel_id, recipient)
  select * from unnest(?::uuid[], ?::uuid[], ?::text[])
  on conflict (channel_id, (coalesce(recipient, ''))) where closed_at is null
  do update set channel_id = excluded.channel_id
  returning id, channel_id, recipient, xmax = 0 as is_new`;
