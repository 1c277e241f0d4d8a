import type { Knex } from "knex";
import { ApiError } from "../../base/index.ts";
import type { NoteQuota } from "./noteQuota.ts";
import { type Limits, quotaKinds } from "./quotaLimits.ts";

/** Rows and bytes that an organization has in the store. */
export interface Stored {
  readonly rows: number;
  readonly bytes: number;
}

/**
 * Lock that serializes the pushes of an organization while they are counted. Each push holds it until its transaction
 * ends.
 */
const lock = "select pg_advisory_xact_lock(hashtextextended('quota_stored ' || ?::text, 0))";

/**
 * Adds up the rows and bytes, including those of running pushes, because their rows are in the outbox until the records
 * include them. A single statement reads records and outbox from the same snapshot.
 */
const sum = `
  select (select coalesce(sum(s.rows), 0) from securable s join organization_user o on o.user_id = s.owner_id
           where o.organization_id = :organization::uuid and s.type = 'dataset' and s.storage <> 'client')
         + coalesce(sum(t.row_count), 0) as rows,
         (select coalesce(sum(d.byte_count), 0) from datasetsize d join securable s on s.id = d.securable_id
            join organization_user o on o.user_id = s.owner_id where o.organization_id = :organization::uuid)
         + coalesce(sum(t.byte_count), 0) as bytes
    from outbox t where t.organization_id = :organization::uuid`;

/** Counts the rows and bytes that an organization has in the store, including those of running pushes. */
export async function countStored(organization: string, knex: Knex): Promise<Stored> {
  const { rows }: { rows: { rows: string; bytes: string }[] } = await knex.raw(sum, {
    organization,
  });
  return { rows: Number(rows[0]?.rows), bytes: Number(rows[0]?.bytes) };
}

/**
 * Refuses a push that would exceed the rows or bytes that an organization may store. Runs in the transaction that
 * writes the push into the outbox, and holds a lock until that transaction ends, so that concurrent pushes never exceed
 * the limit together.
 * @throws {ApiError} QUOTA_FULL
 */
export async function refuseStored(
  organizationId: string,
  added: Stored,
  { limits, note }: { readonly limits: Limits; readonly note: NoteQuota },
  transaction: Knex.Transaction,
): Promise<void> {
  await transaction.raw(lock, [organizationId]);
  const stored = await countStored(organizationId, transaction);
  for (const name of ["rows", "bytes"] as const) {
    const limit = limits[name];
    if (!limit || added[name] <= 0) continue;
    const used = stored[name];
    const wanted = used + added[name];
    if (wanted > limit.hard) {
      note({ organizationId, name, limit: "hard", used });
      throw new ApiError("QUOTA_FULL", [
        quotaKinds[name].what,
        used,
        limit.hard,
        added[name],
        name,
      ]);
    }
    if (wanted > limit.soft && used <= limit.soft)
      note({ organizationId, name, limit: "soft", used: wanted });
  }
}
