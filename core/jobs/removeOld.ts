import type { Knex } from "knex";

/** Number of records that one statement deletes. Transactions stay short, so that nobody waits for them. */
const removedCount = 1_000;

/**
 * Deletes ledger entries, deliveries and digests that were completed before a given time, a thousand at a time. Several
 * hosts may do so concurrently. Resolves to the number of deleted ledger entries.
 */
export async function removeOld(knex: Knex, before: Date, signal: AbortSignal): Promise<number> {
  let count = 0;
  for (const table of ["delivery", "alertevent", "exportevent"]) {
    for (let isLeft = true; isLeft && !signal.aborted;) {
      const { rowCount }: { rowCount: number } = await knex.raw(
        `delete from ?? where id in (
           select id from ?? where completed_at < ? order by completed_at limit ? for update skip locked)`,
        [table, table, before, removedCount],
      );
      isLeft = rowCount === removedCount;
      if (table !== "delivery") count += rowCount;
    }
  }
  await knex.raw(
    `delete from digest g where opened_at < ?
        and not exists (select 1 from delivery d where d.digest_id = g.id)`,
    [before],
  );
  return count;
}

/**
 * Days after which no message of an export can be sent: a message may wait for two days, and its attempts take another
 * day.
 */
const contentDays = 4;

/**
 * Deletes the files of exports whose messages are complete, and keeps their ledger entries. Resolves to the number of
 * files.
 */
export async function removeContents(knex: Knex, nowMs: number): Promise<number> {
  const before = new Date(nowMs - contentDays * 86_400_000);
  return knex("exportevent")
    .whereNotNull("content")
    .where("completed_at", "<", before)
    .update({ content: null });
}
