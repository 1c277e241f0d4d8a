import type { Knex } from "knex";
import type { UpdateCounts } from "../../../plugins/protocol/index.ts";
import type { PushContext } from "./createDataset.ts";
import type { Push } from "./parsePush.ts";

interface UpdatedSize {
  /** Number of rows before the update. */
  readonly rows: number;
  readonly counts: UpdateCounts;
  readonly push: Push;
  /** Bytes of the pushed values. */
  readonly byteCount: number;
}

/**
 * Records the bytes of a dataset after an update: deleted rows had the average size, and inserted rows have the average
 * size of the pushed rows. Rows that were only replaced count as unchanged.
 */
export async function recordUpdatedSize(
  { quotas }: Pick<PushContext, "quotas">,
  id: string,
  { rows, counts, push, byteCount }: UpdatedSize,
  transaction: Knex.Transaction,
): Promise<void> {
  const before = (await quotas?.sizeOf(id, transaction)) ?? 0;
  const gone = rows > 0 ? before * Math.min(1, counts.deleted / rows) : 0;
  const added = push.rows.count > 0 ? byteCount * (counts.inserted / push.rows.count) : 0;
  await quotas?.recordSize(transaction, id, { byteCount: Math.round(before - gone + added) });
}
