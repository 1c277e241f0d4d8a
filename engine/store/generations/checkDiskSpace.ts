import type { Files } from "../../files/files.ts";
import { EngineError } from "../../errors.ts";

/**
 * Bytes of disk space that must remain free for other programs. For example, PostgreSQL on the same disk allocates 16
 * MiB at a time for its log.
 */
const spareBytes = 64 * 2 ** 20;

/**
 * Throws if the disk does not have enough space for both the old and the rewritten files. Without this check, rewriting
 * could use up the space that other writes need.
 * @throws {EngineError} STORE_WRITE_FAILED, with the space that is needed
 */
export async function checkDiskSpace(files: Files, path: string, sizeBytes: number): Promise<void> {
  const neededBytes = sizeBytes + spareBytes;
  const freeBytes = await files.freeBytes(path);
  if (freeBytes >= neededBytes) return;
  const [needed, free] = [neededBytes, freeBytes].map((bytes) => Math.ceil(bytes / 2 ** 20));
  throw new EngineError("STORE_WRITE_FAILED", [
    `compacting needs ${needed} MiB of disk space, but only ${free} MiB are free`,
  ]);
}
