import type { Failure } from "../failureOf.ts";
import { BufferPool } from "../memory/bufferPool.ts";
import { ingestFile, type IngestSource } from "./ingest.ts";
import type { IngestAnswer, SealTask } from "./messages.ts";
import type { SealedFrame } from "../files/sealedFrame.ts";

/** Size of the buffer for the first frame, which is enough for most frames. */
const usualFrameBytes = 2 ** 22;

/**
 * Encodes and seals an Arrow or Parquet file, batch by batch as `ingestFile` does. A batch is valid until the next
 * batch is requested, because its memory is reused. `openRowCount` returns the rows in the table's open row group.
 * @throws {EngineError} the errors of `ingestFile`, BATCH_MALFORMED
 */
export async function sealFile(
  request: IngestSource,
  threadCount: number,
  openRowCount: () => number,
  run: (task: SealTask) => Promise<IngestAnswer<SealedFrame> | Failure>,
): Promise<AsyncGenerator<SealedFrame, void>> {
  const { bytes, bufferPool = new BufferPool() } = request;
  let frameBytes = Math.min(bytes.length, usualFrameBytes);
  const batches = await ingestFile(request, threadCount, async (task) => {
    const buffer = bufferPool.find(frameBytes);
    const given = buffer && { buffer };
    const answer = await run({ ...task, kind: "seal", openRowCount: openRowCount(), ...given });
    // Parts beyond the end of the file have no batches, so nothing was written to their buffers.
    if (buffer && answer.ok && answer.batches.length === 0) bufferPool.give(buffer);
    return answer;
  });
  return (async function* () {
    for await (const batch of batches) {
      frameBytes = batch.frame.length;
      yield batch;
      bufferPool.give(batch.frame.buffer);
    }
  })();
}
