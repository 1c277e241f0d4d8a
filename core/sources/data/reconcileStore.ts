import type { Connections, Records } from "../../base/index.ts";
import type { Outbox } from "../../catalog/index.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Reconciles the store and the catalog after a crash between their changes. Drops the datasets of the store that have
 * no record, and corrects the row counts of records. Only UUIDs are considered, so that other tables of a shared store
 * remain. Call this function at start, while no host that shares the store pushes rows, because a dataset has no record
 * during its first push. If the catalog contains none of the store's datasets, the store is assumed to belong to
 * another catalog. Then only the datasets in the outbox are dropped.
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
      // These datasets remain after a move, and the outbox drops them.
    } else if (rows !== undefined && rows !== record.rows)
      await records.change("securable", id, { rows });
  }
}
