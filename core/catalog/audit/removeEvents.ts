import type { Knex } from "knex";
import type { Cipher } from "../cipher.ts";
import { contentOfAnchor, emptyHash, readAnchor, readEnds } from "./chain.ts";

/**
 * Removes the events before an instant from the start of every chain. Writes a signed anchor, from which the rest of
 * the chain can be verified. Uses one transaction per organization. Resolves to the number of removed events.
 */
export async function removeEvents(
  before: Date,
  {
    knex,
    cipher,
    now,
  }: { readonly knex: Knex; readonly cipher: Pick<Cipher, "mark">; now(): Date },
): Promise<number> {
  let total = 0;
  for (const { organizationId } of await readEnds(knex))
    total += await knex.transaction(async (transaction) => {
      const own = () => transaction("auditevent").where({ organization_id: organizationId });
      // The lock blocks writers, so that nobody extends the chain in the meantime.
      const end: Readonly<Record<string, unknown>> | undefined = await transaction("audit_chain")
        .where({ organization_id: organizationId })
        .forUpdate()
        .first();
      if (!end) return 0;
      const anchor = await readAnchor(transaction, organizationId);
      const first: { place: number } | undefined = await own()
        .whereNotNull("place")
        .where("created_at", ">=", before)
        .orderBy("place")
        .first("place");
      const last = first ? Number(first.place) - 1 : Number(end["place"]);
      const kept: { hash: string } | undefined = await own().where({ place: last }).first("hash");
      const removed = await own().where("place", "<=", last).delete();
      if (removed === 0) return 0;
      const made = {
        place: last,
        hash: kept?.hash ?? anchor?.hash ?? emptyHash,
        removedCount: (anchor?.removedCount ?? 0) + removed,
        removedAt: now(),
      };
      await transaction("audit_anchor")
        .insert({
          organization_id: organizationId,
          place: made.place,
          hash: made.hash,
          removed_count: made.removedCount,
          removed_at: made.removedAt,
          digest: cipher.mark(contentOfAnchor(organizationId, made)),
        })
        .onConflict("organization_id")
        .merge();
      return removed;
    });
  return total;
}
