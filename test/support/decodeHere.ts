import { decodeRows } from "../../engine/ingest/decodeRows.ts";
import { runIngest } from "../../engine/ingest/runIngest.ts";
import type { IngestAnswer, IngestTask } from "../../engine/ingest/messages.ts";
import { EngineError } from "../../engine/index.ts";
import type { Failure } from "../../engine/failureOf.ts";
import { BufferPool } from "../../engine/memory/bufferPool.ts";
import type { DecodedRows, EncodedRows } from "../../plugins/protocol/index.ts";
import { toEngineType } from "../../plugins/strata/batches.ts";
import { toDecodedColumn } from "../../plugins/strata/decodedColumns.ts";

const buffers = new BufferPool();
const run = (task: IngestTask): Promise<IngestAnswer | Failure> => runIngest(task);

/** Decodes rows as the store does, but in this thread. */
export async function decodeHere({
  types,
  ...rows
}: EncodedRows): Promise<DecodedRows | undefined> {
  const request = { ...rows, ...(types && { types: types.map(toEngineType) }) };
  try {
    const decoded = await decodeRows(request, buffers, run);
    return { ...decoded, columns: decoded.columns.map(toDecodedColumn) };
  } catch (error) {
    if (error instanceof EngineError && error.code.startsWith("INGEST_")) return undefined;
    throw error;
  }
}
