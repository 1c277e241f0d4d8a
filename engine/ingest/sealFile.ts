import { ingestFile, type IngestRequest } from "./ingest.ts";
import type { IngestAnswer, IngestFailure, SealedFrame, SealTask } from "./messages.ts";

/**
 * Encodes and seals an Arrow or Parquet file, as `ingestFile` does. A batch is good until the next one is asked for, since
 * its memory is used again. `openRowCount` says how many rows stand in the row group that the table fills.
 * @throws {EngineError} what `ingestFile` throws, BATCH_MALFORMED
 */
export async function sealFile(
  request: IngestRequest,
  threadCount: number,
  openRowCount: () => number,
  run: (task: SealTask) => Promise<IngestAnswer<SealedFrame> | IngestFailure>,
): Promise<AsyncGenerator<SealedFrame, void>> {
  const rooms: SharedArrayBuffer[] = [];
  const batches = await ingestFile(request, threadCount, (task) => {
    const room = rooms.pop();
    return run({ ...task, kind: "seal", openRowCount: openRowCount(), ...(room && { room }) });
  });
  return (async function* () {
    for await (const batch of batches) {
      yield batch;
      rooms.push(batch.frame.buffer);
    }
  })();
}
