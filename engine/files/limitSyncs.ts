import PQueue from "p-queue";
import type { Files } from "./files.ts";

/**
 * Lets `syncsAtOnce` syncs be under way at a time; others wait in the order in which they came. On a slow disk a sync
 * takes seconds, and holds one of the few threads that everything else of the process needs: files, names of hosts,
 * hashes of passwords.
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

/** Threads that libuv has when nobody says how many. */
const usualThreadCount = 4;

/** Returns how many syncs may be under way: half of the threads of the process. */
export function syncsAtOnce(threadCount = process.env["UV_THREADPOOL_SIZE"]): number {
  return Math.max(1, Math.floor((Number(threadCount) || usualThreadCount) / 2));
}
