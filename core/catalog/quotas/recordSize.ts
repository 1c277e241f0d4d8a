import type { Knex } from "knex";

/**
 * Records the size in bytes of values that were pushed to a dataset. The size is added to the recorded size, or
 * replaces it.
 */
export async function recordSize(
  transaction: Knex.Transaction,
  securableId: string,
  { byteCount, isAdded = false }: { readonly byteCount: number; readonly isAdded?: boolean },
): Promise<void> {
  await transaction.raw(
    `insert into datasetsize as d (securable_id, byte_count) values (:id, :bytes)
     on conflict (securable_id) do update
        set byte_count = case when :added then d.byte_count else 0 end + excluded.byte_count`,
    { id: securableId, bytes: byteCount, added: isAdded },
  );
}

/** Returns the number of bytes of all values that were pushed to a dataset; 0 if none were. */
export async function sizeOf(securableId: string, transaction: Knex.Transaction): Promise<number> {
  const row = await transaction("datasetsize")
    .where({ securable_id: securableId })
    .first("byte_count");
  return Number(row?.byte_count ?? 0);
}
