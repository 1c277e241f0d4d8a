import { decodeRows } from "../../engine/ingest/decodeRows.ts";
import { runDecode } from "../../engine/ingest/runDecode.ts";
import { EngineError } from "../../engine/index.ts";
import { BufferPool } from "../../engine/memory/bufferPool.ts";
import type { DecodedRows, EncodedRows } from "../../plugins/protocol/index.ts";
import { toEngineType } from "../../plugins/strata/batches.ts";
import { toDecodedColumn } from "../../plugins/strata/decodedColumns.ts";

const buffers = new BufferPool();

/** Decodes rows as the store does, but in this thread. */
export async function decodeHere({
  types,
  ...rows
}: EncodedRows): Promise<DecodedRows | undefined> {
  const request = { ...rows, ...(types && { types: types.map(toEngineType) }) };
  try {
    const decoded = await decodeRows(request, buffers, runDecode);
    return { ...decoded, columns: decoded.columns.map(toDecodedColumn) };
  } catch (error) {
    if (error instanceof EngineError && error.code.startsWith("INGEST_")) return undefined;
    throw error;
  }
}
