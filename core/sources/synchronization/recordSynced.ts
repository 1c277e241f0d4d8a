import type { Records, ResourceRow } from "../../base/index.ts";

/**
 * Records in a connection whether the last synchronization of each of its datasets succeeded, which is the case if the
 * last attempt is also the last success.
 */
export async function recordSynced(accountId: string, records: Records): Promise<void> {
  const datasets = await records.find("securable", {
    account_id: accountId,
    type: "dataset",
    storage: "client",
  });
  await records.change("account", accountId, { synced: datasets.every(isSynced) });
}

const isSynced = ({
  last_metadata_sync_at: success,
  last_metadata_sync_attempt_at: attempt,
}: ResourceRow<"securable">): boolean => success?.valueOf() === attempt?.valueOf();
