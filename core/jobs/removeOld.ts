import type { Knex } from "knex";

/** Number of records that one statement removes. Short transactions keep nobody waiting. */
const removedCount = 1_000;

/**
 * Removes ledger entries, deliveries and digests that ended before an instant, a thousand at a time. Several hosts may
 * do so at once. Resolves to the number of removed ledger entries.
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

/** A message fails after waiting for two days, and its attempts take another day. */
const contentDays = 4;

/**
 * Removes the files of exports whose messages have ended, but keeps their ledger entries. Resolves to the number of
 * files.
 */
export async function removeContents(knex: Knex, nowMs: number): Promise<number> {
  const before = new Date(nowMs - contentDays * 86_400_000);
  return knex("exportevent")
    .whereNotNull("content")
    .where("completed_at", "<", before)
    .update({ content: null });
}
