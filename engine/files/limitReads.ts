import PQueue from "p-queue";
import type { Files } from "./files.ts";

/**
 * Lets `readsAtOnce` reads of parts be under way at a time; others wait in the order in which they came. The system's
 * calls share a few threads (four in libuv), and the sync of an append should not wait for many reads of columns.
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
