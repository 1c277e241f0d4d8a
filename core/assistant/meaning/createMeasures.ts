import type { CatalogMemory } from "../../catalog/index.ts";
import type { AssistantCaller } from "../callAs.ts";
import type { DatasetFigures } from "./measureDataset.ts";
import type { KnownDataset } from "./readDatasets.ts";

/** A cache of row counts, ranges and frequent values of datasets. */
export interface Measures {
  /**
   * Returns the figures of a dataset that were cached for a caller with the same rights. If no figures are cached,
   * calls `measure`. Undefined if the dataset cannot be measured.
   */
  remember(
    dataset: KnownDataset,
    withValues: boolean,
    caller: AssistantCaller,
    measure: () => Promise<DatasetFigures | undefined>,
  ): Promise<DatasetFigures | undefined>;
}

/**
 * Creates a cache of figures in the memory of the catalog. The cache key contains the dataset's version, its columns
 * and everything known about the caller, so callers with different row filters never share figures. Any change in the
 * catalog invalidates the figures, and they expire after a minute.
 */
export function createMeasures(memory: Pick<CatalogMemory, "remember" | "nameOf">): Measures {
  return {
    remember({ id, version, columns }, withValues, { principal }, measure) {
      const ids = columns.map((column) => column.id).join();
      const name = `figures ${memory.nameOf(principal)} ${id} ${version} ${withValues} ${ids}`;
      return memory.remember(
        name,
        measure,
        (figures) => JSON.stringify(figures ?? null).length * 2,
      );
    },
  };
}
