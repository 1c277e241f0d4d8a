import PQueue from "p-queue";
import type { Files } from "./files.ts";

/**
 * Limits the number of concurrent reads to `readsAtOnce`; other reads wait in order of arrival. All system calls of the
 * process share a few threads (four in libuv), and a sync should not have to wait for many reads of columns.
 */
export function limitReads(files: Files, readsAtOnce: number): Files {
  const queue = new PQueue({ concurrency: readsAtOnce });
  return {
    ...files,
    async openParts(path) {
      const file = await files.openParts(path);
      return { ...file, read: (into, position) => queue.add(() => file.read(into, position)) };
    },
  };
}
