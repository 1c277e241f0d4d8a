import PQueue from "p-queue";
import type { Files } from "./files.ts";

/**
 * Limits how many reads run at the same time to `readsAtOnce`; other reads wait in order of arrival. The system calls
 * share few threads (four in libuv), and the sync of an append should not wait for many reads of columns.
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
