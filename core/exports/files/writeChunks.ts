import { open, rename, rm } from "node:fs/promises";

/** Bytes between two progress records, and thus the most by which an organization can exceed its limit. */
const progressBytes = 4 * 2 ** 20;

/**
 * Writes chunks to a file and returns the number of bytes. Until the last byte the file is called `part`, so that a
 * partial file is never taken for a complete one. A failure removes it. `progress` is called with the bytes so far, and
 * can stop the writing by throwing.
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
      // A single write may write only some of the bytes, for instance on a full disk. This one writes all or fails.
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
