import { open, rename, rm } from "node:fs/promises";

/** Bytes between two records of the progress; what the files of an organization may exceed their limit by. */
const progressBytes = 4 * 2 ** 20;

/**
 * Writes chunks to a file and returns its bytes. Until the last byte it has the name `part`, so a part never looks
 * whole; a failure removes it. `progress` is told how far it is, and ends it by throwing.
 */
export async function writeChunks(
  chunks: AsyncIterable<string | Uint8Array>,
  { part, path }: { readonly part: string; readonly path: string },
  progress: (sizeBytes: number) => Promise<void>,
): Promise<number> {
  const handle = await open(part, "w", 0o600);
  let sizeBytes = 0;
  let recordedBytes = 0;
  try {
    for await (const chunk of chunks) {
      // A single write may take a part of the bytes, as on a disk that fills; this writes all or fails.
      await handle.appendFile(chunk);
      sizeBytes += Buffer.byteLength(chunk);
      if (sizeBytes - recordedBytes < progressBytes) continue;
      recordedBytes = sizeBytes;
      await progress(sizeBytes);
    }
    await progress(sizeBytes);
    await handle.sync();
    await handle.close();
    await rename(part, path);
    return sizeBytes;
  } catch (failure) {
    await handle.close().catch(() => undefined);
    await rm(part, { force: true });
    throw failure;
  }
}
