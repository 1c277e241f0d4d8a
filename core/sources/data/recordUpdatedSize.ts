import type { Knex } from "knex";
import type { UpdateCounts } from "../../../plugins/protocol/index.ts";
import type { PushContext } from "./createDataset.ts";

interface UpdatedSize {
  /** Number of rows before the update. */
  readonly rowsBefore: number;
  readonly counts: UpdateCounts;
  /** Number of pushed rows. */
  readonly pushedCount: number;
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
  { rowsBefore, counts, pushedCount, byteCount }: UpdatedSize,
  transaction: Knex.Transaction,
): Promise<void> {
  const before = (await quotas?.sizeOf(id, transaction)) ?? 0;
  const gone = rowsBefore > 0 ? before * Math.min(1, counts.deleted / rowsBefore) : 0;
  const added = pushedCount > 0 ? byteCount * (counts.inserted / pushedCount) : 0;
  await quotas?.recordSize(transaction, id, { byteCount: Math.round(before - gone + added) });
}
