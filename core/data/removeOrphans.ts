import type { Connections } from "../connections/connection.ts";
import type { Records } from "../resources/records.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Drops the datasets of the store that no record names: what a crash between store and catalog
 * leaves behind. Only ids that are UUIDs count, so that other tables of a shared store stay. Call it at
 * start, while no host that shares the store pushes: a dataset of a push under way has no record yet.
 * A catalog that knows none of the store's datasets is taken for another store's, and nothing is dropped.
 */
export async function removeOrphans({
  records,
  connections,
}: {
  readonly records: Records;
  readonly connections: Connections;
}): Promise<void> {
  const caller = { signal: new AbortController().signal };
  const stored = (await connections.store.datasets(caller))
    .map((dataset) => dataset.id)
    .filter((id) => uuid.test(id));
  const known = new Set((await records.find("securable", { id: stored })).map((row) => row.id));
  if (known.size === 0) return;
  for (const id of stored)
    if (!known.has(id)) await connections.store.write({ action: "drop", id }, caller);
}
