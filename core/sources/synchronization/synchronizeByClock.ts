import { randomUUID } from "node:crypto";
import type { Principal } from "../../base/index.ts";
import type { Synchronizer } from "./createSynchronizer.ts";
import { synchronizeDataset, type SyncContext, type SyncReport } from "./synchronizeDataset.ts";

export interface ClockContext extends SyncContext {
  readonly principals: {
    ofUsers(userIds: readonly string[]): Promise<ReadonlyMap<string, Principal>>;
  };
  readonly synchronizer: Pick<Synchronizer, "measureLater">;
}

/**
 * Synchronizes a dataset on schedule with the rights of its owner. Undefined if the dataset does not exist or no longer
 * has an owner.
 */
export async function synchronizeByClock(
  datasetId: string,
  signal: AbortSignal,
  context: ClockContext,
): Promise<SyncReport | undefined> {
  const [dataset] = await context.records.find("securable", { id: datasetId });
  if (dataset?.type !== "dataset" || dataset.storage !== "client") return undefined;
  const owners = await context.principals.ofUsers([dataset.owner_id]);
  const principal = owners.get(dataset.owner_id);
  if (!principal) return undefined;
  const requestId = randomUUID();
  const report = await synchronizeDataset(dataset, context, {
    principal,
    requestId,
    address: undefined,
    signal,
  });
  if (report.synced) context.synchronizer.measureLater(datasetId);
  return report;
}
