import type { CatalogMemory } from "../../catalog/index.ts";
import type { Asker, OwnHandlers } from "../callAs.ts";
import { type DatasetQuery, type KnownDataset, readDatasets } from "./readDatasets.ts";

/** Reads datasets as `readDatasets` does, or answers what was read before. */
export type ReadDatasets = (query: DatasetQuery, asker: Asker) => Promise<readonly KnownDataset[]>;

/** Bytes of a dataset in memory, for each character of its JSON. */
const bytesPerCharacter = 3;

/**
 * Makes a reader that keeps what it read in the memory of the catalog. The key is the question and all that is known of
 * the asker, so two askers with other rights never share datasets. Any change in the catalog drops them.
 */
export function createDatasetReader({
  handlers,
  memory,
}: {
  readonly handlers: OwnHandlers;
  readonly memory: Pick<CatalogMemory, "remember" | "nameOf">;
}): ReadDatasets {
  return (query, asker) => {
    const { ids, words, language, limit } = query;
    const asked = JSON.stringify([ids?.toSorted(), words, language, limit]);
    // Askers at the same time share one reading, which must not end with the first of them.
    const shared = { ...asker, signal: new AbortController().signal };
    return memory.remember(
      `datasets ${memory.nameOf(asker.principal)} ${asked}`,
      () => readDatasets(query, shared, handlers),
      (found) => JSON.stringify(found).length * bytesPerCharacter,
    );
  };
}
