import type { CatalogMemory } from "../../catalog/index.ts";
import type { AssistantCaller } from "../callAs.ts";
import type { DatasetFigures } from "./measureDataset.ts";
import type { KnownDataset } from "./readDatasets.ts";

/** Cached figures of datasets. */
export interface Measures {
  /** Returns cached figures of a dataset for a caller with the same rights, or measures it. */
  remember(
    dataset: KnownDataset,
    withValues: boolean,
    caller: AssistantCaller,
    measure: () => Promise<DatasetFigures | undefined>,
  ): Promise<DatasetFigures | undefined>;
}

/**
 * Caches figures in the memory of the catalog. The key consists of the dataset's version, its columns and everything
 * known about the caller, so different row filters never share figures. Any change in the catalog invalidates the
 * figures. None is older than a minute.
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
