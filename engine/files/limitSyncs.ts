import PQueue from "p-queue";
import type { Files } from "./files.ts";

/**
 * Limits the number of concurrent syncs to `syncsAtOnce`; other syncs wait in order of arrival. On a slow disk, a sync
 * takes seconds and occupies one of the few threads that the process also needs for files, host names and password
 * hashes.
 */
export function limitSyncs(files: Files, syncsAtOnce: number): Files {
  const queue = new PQueue({ concurrency: syncsAtOnce });
  return {
    ...files,
    async openLog(path, create) {
      const file = await files.openLog(path, create);
      return {
        write: (bytes, position) => file.write(bytes, position),
        sync: () => queue.add(() => file.sync()),
        close: () => file.close(),
      };
    },
    syncFolder: (path) => queue.add(() => files.syncFolder(path)),
  };
}

/** Number of libuv threads unless UV_THREADPOOL_SIZE is set. */
const usualThreadCount = 4;

/** Returns the maximum number of concurrent syncs: half the number of the process's libuv threads. */
export function syncsAtOnce(threadCount = process.env["UV_THREADPOOL_SIZE"]): number {
  return Math.max(1, Math.floor((Number(threadCount) || usualThreadCount) / 2));
}
