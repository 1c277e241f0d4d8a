import type { CatalogMemory } from "../../catalog/index.ts";
import type { AssistantCaller, OwnHandlers } from "../callAs.ts";
import { type DatasetQuery, type KnownDataset, readDatasets } from "./readDatasets.ts";

/** Reads datasets as `readDatasets` does, but may return a cached result. */
export type ReadDatasets = (
  query: DatasetQuery,
  caller: AssistantCaller,
) => Promise<readonly KnownDataset[]>;

/** Estimated bytes in memory per character of a dataset's JSON. */
const bytesPerCharacter = 3;

/**
 * Creates a reader that caches results in the memory of the catalog. The cache key contains the request and everything
 * known about the caller, so callers with different rights never share results. Any change in the catalog invalidates
 * all results.
 */
export function createDatasetReader({
  handlers,
  memory,
}: {
  readonly handlers: OwnHandlers;
  readonly memory: Pick<CatalogMemory, "remember" | "nameOf">;
}): ReadDatasets {
  return (query, caller) => {
    const { ids, words, language, limit } = query;
    const wanted = JSON.stringify([ids?.toSorted(), words, language, limit]);
    // Concurrent callers share one read, which must not stop when the first caller disconnects.
    const shared = { ...caller, signal: new AbortController().signal };
    return memory.remember(
      `datasets ${memory.nameOf(caller.principal)} ${wanted}`,
      () => readDatasets(query, shared, handlers),
      (found) => JSON.stringify(found).length * bytesPerCharacter,
    );
  };
}
