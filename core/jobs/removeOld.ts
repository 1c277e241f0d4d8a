import type { Knex } from "knex";

/** Records that one statement removes: short transactions, so nobody waits for them. */
const removedCount = 1_000;

/**
 * Removes the entries of the ledger, and the deliveries and digests that ended before an instant, a thousand at a time.
 * Several hosts may do so at once. Resolves to the number of removed entries.
 */
export async function removeOld(knex: Knex, before: Date, signal: AbortSignal): Promise<number> {
  let count = 0;
  for (const table of ["delivery", "alertevent"]) {
    for (let isLeft = true; isLeft && !signal.aborted;) {
      const { rowCount }: { rowCount: number } = await knex.raw(
        `delete from ?? where id in (
           select id from ?? where completed_at < ? order by completed_at limit ? for update skip locked)`,
        [table, table, before, removedCount],
      );
      isLeft = rowCount === removedCount;
      if (table === "alertevent") count += rowCount;
    }
  }
  await knex.raw(
    `delete from digest g where opened_at < ?
        and not exists (select 1 from delivery d where d.digest_id = g.id)`,
    [before],
  );
  return count;
}
