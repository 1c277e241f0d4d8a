import { failureOf, type Failure } from "../failureOf.ts";
import { expectBytes } from "./decode/arrivingBytes.ts";
import type { ColumnBuffers } from "./decode/columnBuffers.ts";
import { digestRows } from "./json/digestRows.ts";
import { encodeJson } from "./json/encodeJson.ts";
import type { EncodedBatch } from "../column/encodedBatch.ts";
import { encodeColumns } from "./encodeColumns.ts";
import type {
  IngestAnswer,
  IngestTask,
  SealAnswer,
  SealColumnsTask,
  SealTask,
} from "./messages.ts";
import { ReusedBuffers } from "./decode/reusedBuffers.ts";
import { SharedBatchBuffer } from "./decode/sharedBatchBuffer.ts";
import { sealBatch } from "./seal/sealBatch.ts";

/** Buffers for the batches that are sealed on this thread. */
const sealBuffers = new ReusedBuffers();

/**
 * Runs a worker's task of an ingest: encodes rows, and seals them if requested. Returns failures, because thrown errors
 * lose their code between threads. The libraries for files are loaded by `warmIngest` or with the first file, so that
 * threads start fast.
 */
export function runIngest(task: IngestTask): Promise<IngestAnswer | Failure>;
export function runIngest(task: SealTask): Promise<SealAnswer | Failure>;
export async function runIngest(
  task: IngestTask | SealTask,
): Promise<IngestAnswer | SealAnswer | Failure> {
  try {
    expectBytes(task);
    if (task.kind === "ingest") {
      const { bytes, digestPrefix } = task;
      const batches = await encode(task);
      if (digestPrefix === undefined) return { ok: true, batches };
      return { ok: true, batches, digest: digestRows(bytes, digestPrefix) };
    }
    const { openRowCount, buffer } = task;
    sealBuffers.clear();
    const batches = await encode(task, sealBuffers);
    const sealed = batches.map((batch, index) =>
      sealBatch(batch, openRowCount, index === 0 ? buffer : undefined),
    );
    return { ok: true, batches: sealed };
  } catch (error) {
    return failureOf(error);
  }
}

async function encode(
  { format, bytes, columns, part, partCount, buffer }: Omit<IngestTask, "kind">,
  buffers?: ColumnBuffers,
): Promise<readonly EncodedBatch[]> {
  const given = { ...(columns && { columns }), ...(buffers && { buffers }) };
  switch (format) {
    case "json":
      return closing(() => [
        encodeJson(bytes, { ...(columns && { columns }), buffer: new SharedBatchBuffer(buffer) }),
      ]);
    case "arrow": {
      const { encodeArrow } = await import("./arrow/encodeArrow.ts");
      return closing(() => encodeArrow(bytes, { ...given, part, partCount }), true);
    }
    case "parquet": {
      const { encodeParquet } = await import("./parquet/encodeParquet.ts");
      return closing(() => encodeParquet(bytes, { ...given, part, partCount }), true);
    }
  }
}

/** Encodes a task and then releases its memory. Unless a part has no batches, more parts of the file may follow. */
async function closing(
  encodeAll: () => readonly EncodedBatch[],
  isFile = false,
): Promise<readonly EncodedBatch[]> {
  const { closeDecodeMemory } = await import("./decode/decodeMemory.ts");
  let hasMore = false;
  try {
    const batches = encodeAll();
    hasMore = isFile && batches.length > 0;
    return batches;
  } finally {
    await closeDecodeMemory(hasMore ? "next" : "last");
  }
}

/**
 * Runs a worker's task of an append: checks the columns of a batch and seals them. Returns failures like `runIngest`.
 */
export function runSealColumns(task: SealColumnsTask): SealAnswer | Failure {
  try {
    return { ok: true, batches: [sealBatch(encodeColumns(task), task.openRowCount, task.buffer)] };
  } catch (error) {
    return failureOf(error);
  }
}
