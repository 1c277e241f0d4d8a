import { open, rename, rm } from "node:fs/promises";

/**
 * Bytes between two updates of a file's recorded size. An organization can exceed its limit by at most this many bytes.
 */
const progressBytes = 4 * 2 ** 20;

/**
 * Writes chunks to a file and returns the number of bytes. The file is called `part` until its last byte is written, so
 * that a partial file is never mistaken for a complete one. A failure removes the partial file. `progress` is called
 * with the number of bytes so far, and can stop the writing by throwing.
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
      // A single write may write only some of the bytes, for instance on a full disk. This call writes all bytes or
      // fails.
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
