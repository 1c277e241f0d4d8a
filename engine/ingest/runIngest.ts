import { EngineError } from "../errors.ts";
import { encodeJson } from "./encodeJson.ts";
import type { EncodedBatch, IngestAnswer, IngestFailure, IngestTask } from "./messages.ts";

/**
 * Encodes what a task asks for; a worker's share of an ingest. Failures are returned, since a thread takes the code from
 * what is thrown. The libraries of files are loaded when the first file comes, so threads start fast.
 */
export async function runIngest(task: IngestTask): Promise<IngestAnswer | IngestFailure> {
  try {
    return { ok: true, batches: await encode(task) };
  } catch (error) {
    if (error instanceof EngineError)
      return { ok: false, code: error.code, details: error.details };
    if (error instanceof RangeError) return { ok: false, code: "QUERY_OUT_OF_MEMORY", details: [] };
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, code: "WORKER_FAILED", details: [message] };
  }
}

async function encode({
  format,
  bytes,
  columns,
  part,
  partCount,
}: IngestTask): Promise<readonly EncodedBatch[]> {
  const given = columns && { columns };
  switch (format) {
    case "json":
      return [encodeJson(bytes, { ...given })];
    case "arrow": {
      const { encodeArrow } = await import("./encodeArrow.ts");
      return encodeArrow(bytes, { ...given, part, partCount });
    }
    case "parquet": {
      const { encodeParquet } = await import("./encodeParquet.ts");
      return encodeParquet(bytes, { ...given, part, partCount });
    }
  }
}
