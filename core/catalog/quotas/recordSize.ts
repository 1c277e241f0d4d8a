import type { Knex } from "knex";

/** Records the bytes of values pushed to a dataset, added to the earlier ones or replacing them. */
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

/** Returns the bytes of all values pushed to a dataset; 0 if nothing was pushed. */
export async function sizeOf(securableId: string, transaction: Knex.Transaction): Promise<number> {
  const row = await transaction("datasetsize")
    .where({ securable_id: securableId })
    .first("byte_count");
  return Number(row?.byte_count ?? 0);
}
