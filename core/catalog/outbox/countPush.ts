import type { Knex } from "knex";

/** The rows and bytes that a running push adds. */
export interface PushCount {
  readonly rowCount: number;
  readonly byteCount: number;
  /** Number of rows by which an append increases the rows of its dataset; absent for other pushes. */
  readonly rowsAdded?: number;
}

/**
 * Records how many rows and bytes the latest push to a dataset adds, once they are known. From then on they count
 * towards the quotas of the organization, and they show after a crash whether the store contains the rows.
 */
export async function countPush(
  transaction: Knex.Transaction,
  securableId: string,
  { rowCount, byteCount, rowsAdded }: PushCount,
): Promise<void> {
  await transaction("outbox")
    .where({
      id: transaction("outbox")
        .where({ securable_id: securableId })
        .whereNotNull("organization_id")
        .orderBy("created_at", "desc")
        .limit(1)
        .select("id"),
    })
    .update({
      row_count: Math.max(0, rowCount),
      byte_count: Math.max(0, byteCount),
      ...(rowsAdded !== undefined && { rows_added: rowsAdded }),
    });
}
