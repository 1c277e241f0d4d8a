import type { Connections, Records } from "../../base/index.ts";
import type { Outbox } from "../../catalog/index.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Reconciles store and catalog after a crash between their changes: drops the datasets of the store that have no
 * record, and corrects the row counts of records. Considers only ids that are UUIDs, so that other tables of a shared
 * store stay. Call it at start, while no host that shares the store pushes, because a dataset that is being pushed has
 * no record yet. If the catalog names none of the store's datasets, the store is assumed to belong to another catalog,
 * and only the outbox's datasets are dropped.
 */
export async function reconcileStore({
  records,
  connections,
  outbox,
}: {
  readonly records: Records;
  readonly connections: Pick<Connections, "store">;
  readonly outbox: Pick<Outbox, "idsToDrop">;
}): Promise<void> {
  const { store } = connections;
  const caller = { signal: new AbortController().signal };
  const stored = (await store.datasets(caller)).filter(({ id }) => uuid.test(id));
  const named = await records.find("securable", { id: stored.map(({ id }) => id) });
  const copies = await records.find("datasetcopy", { copy_id: stored.map(({ id }) => id) });
  const copyIds = new Set(copies.map(({ copy_id }) => copy_id));
  const idsToDrop = await outbox.idsToDrop();
  const isOwnStore = named.length + copies.length > 0;
  const recordOf = new Map(named.map((record) => [record.id, record]));
  for (const { id, rows } of stored) {
    const record = recordOf.get(id);
    if (copyIds.has(id)) continue;
    if (!record) {
      if (isOwnStore || idsToDrop.has(id)) await store.write({ action: "drop", id }, caller);
    } else if (record.storage !== store.name) {
      // A move has left these behind, and the outbox drops them.
    } else if (rows !== undefined && rows !== record.rows)
      await records.change("securable", id, { rows });
  }
}
