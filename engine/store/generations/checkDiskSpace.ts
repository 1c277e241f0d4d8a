import type { Files } from "../../files/files.ts";
import { EngineError } from "../../errors.ts";

/** Bytes that stay free for others on the disk: a PostgreSQL beside the store takes 16 MiB at a time for its log. */
const spareBytes = 64 * 2 ** 20;

/**
 * Refuses to rewrite files when the disk has no room for the old and the new ones. Otherwise the rewrite would take the
 * space that other writes need.
 * @throws {EngineError} STORE_WRITE_FAILED that says how much is needed
 */
export async function checkDiskSpace(files: Files, path: string, sizeBytes: number): Promise<void> {
  const neededBytes = sizeBytes + spareBytes;
  const freeBytes = await files.freeBytes(path);
  if (freeBytes >= neededBytes) return;
  const [needed, free] = [neededBytes, freeBytes].map((bytes) => Math.ceil(bytes / 2 ** 20));
  throw new EngineError("STORE_WRITE_FAILED", [
    `compacting needs ${needed} MiB on the disk, and ${free} MiB are free`,
  ]);
}
