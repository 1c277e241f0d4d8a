import type { Caller, Connection } from "../../base/index.ts";
import type { Batch } from "../../../plugins/protocol/index.ts";
import { openLoading } from "../finish/openLoading.ts";
import type { FindDataset } from "../queriedDataset.ts";
import type { AnswerColumn } from "./answerColumns.ts";
import { createFromDataset, findOnlyFrom } from "./createFromDataset.ts";

/** The answer of an inner query, loaded into the scratch plugin. */
export interface OpenedFrom {
  readonly findDataset: FindDataset;
  /** Drops the loaded rows. */
  close(): Promise<void>;
}

/**
 * Loads the answer of an inner query into a temporary dataset of the scratch plugin.
 * @throws {PluginError} of the scratch plugin
 */
export async function openFrom(
  columns: readonly AnswerColumn[],
  batch: Batch,
  scratch: Connection,
  caller: Caller,
): Promise<OpenedFrom> {
  const loading = openLoading(
    {
      columns: columns.map(({ type }, index) => ({ id: String(index), type })),
      vectors: columns.map(({ vector }) => vector),
    },
    scratch,
    caller,
  );
  try {
    const { id } = await loading.end(batch);
    return {
      findDataset: findOnlyFrom(createFromDataset(columns, id, scratch)),
      close: loading.drop,
    };
  } catch (failure) {
    await loading.drop();
    throw failure;
  }
}
