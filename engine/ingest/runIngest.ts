import { EngineError } from "../errors.ts";
import { encodeJson } from "./encodeJson.ts";
import type {
  EncodedBatch,
  IngestAnswer,
  IngestFailure,
  IngestTask,
  SealAnswer,
  SealTask,
} from "./messages.ts";
import { sealBatch } from "./sealBatch.ts";

/**
 * Encodes what a task asks for, and seals it when it says so; a worker's share of an ingest. Failures are returned, since a
 * thread takes the code from what is thrown. The libraries of files are loaded when the first file comes, so threads start fast.
 */
export function runIngest(task: IngestTask): Promise<IngestAnswer | IngestFailure>;
export function runIngest(task: SealTask): Promise<SealAnswer | IngestFailure>;
export async function runIngest(
  task: IngestTask | SealTask,
): Promise<IngestAnswer | SealAnswer | IngestFailure> {
  try {
    const batches = await encode(task);
    if (task.kind === "ingest") return { ok: true, batches };
    const { openRowCount, room } = task;
    const sealed = batches.map((batch, index) =>
      sealBatch(batch, openRowCount, index === 0 ? room : undefined),
    );
    return { ok: true, batches: sealed };
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
}: Omit<IngestTask, "kind">): Promise<readonly EncodedBatch[]> {
  const given = columns && { columns };
  switch (format) {
    case "json":
      return [encodeJson(bytes, { ...given })];
    case "arrow": {
      const { encodeArrow } = await import("./encodeArrow.ts");
      return closing(() => encodeArrow(bytes, { ...given, part, partCount }));
    }
    case "parquet": {
      const { encodeParquet } = await import("./encodeParquet.ts");
      return closing(() => encodeParquet(bytes, { ...given, part, partCount }));
    }
  }
}

async function closing<Batches>(encodeFile: () => Batches): Promise<Batches> {
  const { closeDecodeMemory } = await import("./decodeMemory.ts");
  try {
    return encodeFile();
  } finally {
    await closeDecodeMemory();
  }
}
