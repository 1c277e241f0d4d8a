import type { Connections, Records } from "../../base/index.ts";
import { claimStore, holderOf, type StoreClaim, type StoreClaimOptions } from "./claimStore.ts";

interface FormerRowsOptions extends Omit<StoreClaimOptions, "store"> {
  readonly records: Pick<Records, "find">;
  readonly connections: Pick<Connections, "store" | "elsewhere">;
  /** Slugs of the stores that keep rows in files of one host, except the store of this host. */
  readonly fileStores: readonly string[];
}

/**
 * Claims the catalog for a host that writes to a shared store but still has datasets in its own folder. Without the
 * claim, a second host would not see these datasets until they are moved. Undefined if the host has no datasets in its
 * folder.
 * @throws {Error} if another host has rows in its folder, with the name of that host and what to do
 */
export async function claimFormerRows(options: FormerRowsOptions): Promise<StoreClaim | undefined> {
  const { connections, records, fileStores, knex, dataDir, log } = options;
  const elsewhere = connections.elsewhere ?? new Map<string, { readonly name: string }>();
  const own = new Set([...elsewhere.values()].map(({ name }) => name));
  let claim: StoreClaim | undefined;
  for (const store of fileStores) {
    const holder = await holderOf({ knex, store, dataDir });
    if (holder && !holder.isOwn)
      throw new Error(
        `rows of the catalog's datasets are in the folder of another host (${holder.place}), where this host cannot see them: restart that host with MANIFOLD_STORE=${connections.store.name}, run \`manifold move --to ${connections.store.name}\` while it runs, and then start this host. If that host no longer runs, start again in ${holder.leftS} s`,
      );
    const placed = await records.find("securable", { type: "dataset", storage: store });
    const away = placed.filter(
      ({ id, shared_storage_version: version }) => version && !elsewhere.has(id),
    );
    if (away.length > 0)
      log.warn(
        { datasetCount: away.length, store },
        `datasets of the catalog are in a store that this host cannot read: start a host on the data folder that has them, and move them with \`manifold move --to ${connections.store.name}\``,
      );
    if (own.has(store)) claim = await claimStore({ ...options, store });
  }
  return claim;
}
