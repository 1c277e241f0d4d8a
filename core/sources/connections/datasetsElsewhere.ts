import type { Connection, Records } from "../../base/index.ts";

/**
 * Finds the datasets and copies, by id, whose records place them in other stores than the host's own. Ignores all other
 * tables of those stores, because they were moved or belong to another catalog.
 * @throws {PluginError} of a store that does not answer
 */
export async function datasetsElsewhere(
  others: readonly Connection[],
  records: Pick<Records, "find">,
): Promise<Map<string, Connection>> {
  const elsewhere = new Map<string, Connection>();
  for (const store of others) {
    const stored = await store.datasets({ signal: new AbortController().signal });
    const ids = stored.map(({ id }) => id).filter((id) => uuid.test(id));
    if (ids.length === 0) continue;
    const datasets = await records.find("securable", { id: ids });
    const copies = await records.find("datasetcopy", { copy_id: ids });
    for (const { id, storage } of datasets) if (storage === store.name) elsewhere.set(id, store);
    for (const { copy_id: id } of copies) if (typeof id === "string") elsewhere.set(id, store);
  }
  return elsewhere;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
