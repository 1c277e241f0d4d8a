import type { Batch, BatchedWrite, WriteResult } from "../../../plugins/protocol/index.ts";
import { ApiError, type Caller, type Connection } from "../../base/index.ts";
import { sizeOfBatch } from "../../queries/index.ts";

/** Maximum MiB of values that a store without `writeBatches` receives in one write. */
const mostMb = 64;

/**
 * Adds rows that arrive in batches to a dataset, or replaces its rows, completely or not at all. For a store that can
 * only write rows in memory, at most 64 MiB of rows are collected.
 * @throws {ApiError} UPLOAD_NOT_ADDED for more rows
 * @throws the errors of `batches` and of the store
 */
export async function fillStore(
  store: Connection,
  write: BatchedWrite,
  batches: AsyncIterable<Batch>,
  caller: Caller,
): Promise<WriteResult> {
  if (store.writeBatches) return store.writeBatches(write, batches, caller);
  const collected: Batch[] = [];
  let sizeBytes = 0;
  for await (const batch of batches) {
    sizeBytes += sizeOfBatch(batch);
    if (sizeBytes > mostMb * 2 ** 20) throw new ApiError("UPLOAD_NOT_ADDED", [store.name, mostMb]);
    collected.push(copied(batch));
  }
  const { action, id, columns } = write;
  const { joinBatches } = await import("../../../plugins/rows/formats/index.ts");
  const columnIds = collected.length > 0 ? write.columnIds : [];
  const rows = { columnIds, batch: joinBatches(collected) };
  if (action === "append") return store.write({ action, id, rows }, caller);
  return store.write({ action, id, rows, ...(columns && { columns }) }, caller);
}

/** Copies a batch, because its memory is reused when the next batch is requested. */
function copied({ rowCount, columns }: Batch): Batch {
  return {
    rowCount,
    columns: columns.map((column) =>
      column.type === "hierarchy"
        ? { type: column.type, codes: column.codes.slice(), dictionary: column.dictionary }
        : { type: column.type, values: column.values.slice() },
    ),
  };
}
