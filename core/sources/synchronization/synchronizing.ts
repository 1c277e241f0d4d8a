import {
  type ApiCall,
  ApiError,
  type Handler,
  isObject,
  type ResourceHandlers,
} from "../../base/index.ts";
import type { Synchronizer } from "./createSynchronizer.ts";
import { type SyncContext, synchronizeDataset } from "./synchronizeDataset.ts";

/**
 * Adds `update_metadata` to the update of datasets and connections. After the update, columns are synchronized with the
 * source. The answer then has `metadata_sync` with the changes and the records that use the changed columns. For a
 * connection, all datasets that the caller may change are synchronized, one after another. Statistics are measured
 * later.
 */
export function synchronizing(
  resource: "securable" | "account",
  handlers: ResourceHandlers,
  context: SyncContext & { readonly synchronizer: Synchronizer },
): ResourceHandlers {
  const { update } = handlers;
  if (!update) return handlers;
  const withSync: Handler = async (call) => {
    const isRequested = isSyncRequested(call);
    const answer = await update(call);
    if (!isRequested || !isObject<"id">(answer)) return answer;
    const id = String(answer.id);
    const changed =
      resource === "securable"
        ? await syncDataset(id, call, context)
        : await syncAccount(id, call, context);
    return { ...answer, ...changed };
  };
  return { ...handlers, update: withSync };
}

function isSyncRequested({ body }: ApiCall): boolean {
  const { properties } = body;
  const requested = isObject<"update_metadata">(properties)
    ? (properties.update_metadata ?? false)
    : false;
  if (typeof requested === "boolean") return requested;
  throw new ApiError("MEMBER_INVALID", ["properties.update_metadata", "must be true or false"]);
}

type Context = SyncContext & { readonly synchronizer: Synchronizer };

/** Returns the members that a synchronization adds to or changes in the answer of the update. */
async function syncDataset(id: string, call: ApiCall, context: Context): Promise<object> {
  const { records, synchronizer } = context;
  const [dataset] = await records.find("securable", { id });
  if (dataset?.type !== "dataset") return unfollowed(id, "a dashboard has no source");
  if (dataset.storage !== "client") return unfollowed(id, "its rows are in the store of this host");
  const metadata_sync = await synchronizeDataset(dataset, context, call);
  if (metadata_sync.synced) synchronizer.measureLater(id);
  const [after] = await records.find("securable", { id });
  const { last_metadata_sync_at = null, last_metadata_sync_attempt_at = null } = after ?? {};
  return { last_metadata_sync_at, last_metadata_sync_attempt_at, metadata_sync };
}

const unfollowed = (securable_id: string, reason: string) => ({
  metadata_sync: { securable_id, synced: false, reason },
});

async function syncAccount(id: string, call: ApiCall, context: Context): Promise<object> {
  const { records, synchronizer } = context;
  const all = await records.find("securable", {
    account_id: id,
    type: "dataset",
    storage: "client",
  });
  const ids = all.map((dataset) => dataset.id);
  const changeable = await records.visible("securable", ids, "modify", call.principal);
  const datasets = [];
  for (const dataset of changeable.values()) {
    call.signal.throwIfAborted();
    const report = await synchronizeDataset(dataset, context, call);
    if (report.synced) synchronizer.measureLater(dataset.id);
    datasets.push(report);
  }
  const synced = datasets.length === all.length && datasets.every((report) => report.synced);
  // Several people may share the connection, and the caller may not change all of its datasets.
  const skipped_count = all.length - datasets.length;
  return { synced, metadata_sync: { synced, datasets, skipped_count } };
}
