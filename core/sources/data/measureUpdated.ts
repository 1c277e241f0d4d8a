import type { Connection } from "../../base/index.ts";
import { PluginError, type UpdateCounts, type Write } from "../../../plugins/protocol/index.ts";
import type { PushContext } from "./createDataset.ts";
import {
  measureStored,
  unknownMeasures,
  type MeasuredColumn,
  type Measures,
} from "./measureColumns.ts";

/** A dataset after an update has changed its rows. */
export interface UpdatedDataset {
  readonly datasetId: string;
  /** The stored columns. */
  readonly columns: readonly MeasuredColumn[];
  readonly rowCount: number;
  readonly counts: UpdateCounts;
  readonly written: Extract<Write, { action: "update" }>;
}

/**
 * Measures the columns that an update may have changed, by id. If rows were only updated, those are the written columns
 * outside of the key. If the store cannot measure them, the measures are unknown; the update still succeeds.
 */
export async function measureUpdated(
  { datasetId, columns, rowCount, counts, written }: UpdatedDataset,
  { store, caller, log }: Pick<PushContext, "caller" | "log"> & { readonly store: Connection },
): Promise<ReadonlyMap<string, Measures>> {
  const hasOtherRows = counts.inserted + counts.deleted > 0;
  const isRewritten = ({ id }: MeasuredColumn) =>
    counts.updated > 0 && written.rows.columnIds.includes(id) && !written.key.includes(id);
  const changed = columns.filter((column) => hasOtherRows || isRewritten(column));
  if (changed.length === 0) return new Map();
  try {
    return await measureStored({ datasetId, columns: changed, rowCount }, store, caller);
  } catch (failure) {
    if (!(failure instanceof PluginError)) throw failure;
    log.warn({ err: failure, datasetId }, "the columns of a dataset could not be measured");
    return new Map(changed.map(({ id }) => [id, unknownMeasures]));
  }
}
