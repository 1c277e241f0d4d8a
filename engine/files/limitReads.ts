import PQueue from "p-queue";
import type { Files } from "./files.ts";

/**
 * Limits the number of concurrent reads to `readsAtOnce`; other reads wait in order of arrival. System calls share few
 * threads (four in libuv), and the sync of an append should not have to wait for many reads of columns.
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
