import { EngineError } from "../errors.ts";
import { encodeArrow } from "./encodeArrow.ts";
import { encodeJson } from "./encodeJson.ts";
import { encodeParquet } from "./encodeParquet.ts";
import type { EncodedBatch, IngestAnswer, IngestFailure, IngestTask } from "./messages.ts";

/** Encodes what a task asks for; a worker's share of an ingest. Failures are returned, since a thread takes the code from what is thrown. */
export function runIngest(task: IngestTask): IngestAnswer | IngestFailure {
  try {
    return { ok: true, batches: encode(task) };
  } catch (error) {
    if (error instanceof EngineError)
      return { ok: false, code: error.code, details: error.details };
    if (error instanceof RangeError) return { ok: false, code: "QUERY_OUT_OF_MEMORY", details: [] };
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, code: "WORKER_FAILED", details: [message] };
  }
}

function encode({ format, bytes, columns, part, partCount }: IngestTask): readonly EncodedBatch[] {
  const options = { part, partCount, ...(columns && { columns }) };
  switch (format) {
    case "json":
      return [encodeJson(bytes, options)];
    case "arrow":
      return encodeArrow(bytes, options);
    case "parquet":
      return encodeParquet(bytes, options);
  }
}
