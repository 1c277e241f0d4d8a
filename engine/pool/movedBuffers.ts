import { buffersOf } from "./buffersOf.ts";
import type { QueryTask } from "./messages.ts";

/** Minimum bytes of a buffer to transfer. Copying a smaller buffer is faster than transferring it. */
const leastBytes = 2 ** 14;

/**
 * Lists, for each task, the buffers to transfer to its thread instead of copying them. These are results of scans,
 * which nobody reads once the tasks have been sent. A buffer that several tasks read is not listed.
 */
export function movedBuffers(tasks: readonly QueryTask[]): ArrayBuffer[][] {
  const found = tasks.map((task) => [...buffersOf(foundBy(task))]);
  const readers = new Map<ArrayBuffer, number>();
  for (const buffer of found.flat()) readers.set(buffer, (readers.get(buffer) ?? 0) + 1);
  return found.map((buffers) =>
    buffers.filter((buffer) => buffer.byteLength >= leastBytes && readers.get(buffer) === 1),
  );
}

/** Returns the part of a task that only this task uses. Its plan must stay readable on the main thread. */
function foundBy(task: QueryTask): unknown {
  switch (task.kind) {
    case "finishHash":
    case "finishRows":
      return task.lanes;
    case "cut":
      return task.columns;
    case "scan":
    case "finishDirect":
      return [];
  }
}
