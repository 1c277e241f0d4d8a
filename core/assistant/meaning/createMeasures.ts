import type { CatalogMemory } from "../../catalog/index.ts";
import type { Asker } from "../callAs.ts";
import type { DatasetFigures } from "./measureDataset.ts";
import type { KnownDataset } from "./readDatasets.ts";

/** Figures of datasets that are kept while nothing changes. */
export interface Measures {
  /** Answers kept figures of a dataset for an asker with the same rights, or measures. */
  remember(
    dataset: KnownDataset,
    withValues: boolean,
    asker: Asker,
    measure: () => Promise<DatasetFigures | undefined>,
  ): Promise<DatasetFigures | undefined>;
}

/**
 * Keeps figures in the memory of the catalog. Their key is the version of the dataset, its columns and all that is
 * known of the asker, so two row filters never share figures. Any change in the catalog drops them; none is older than
 * a minute.
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
