import { buffersOf } from "./buffersOf.ts";
import type { QueryTask } from "./messages.ts";

/** Minimum size in bytes of a buffer to transfer. Copying a smaller buffer is faster than transferring it. */
const leastBytes = 2 ** 14;

/**
 * Lists, for each task, the buffers to transfer to its thread instead of copying them. These buffers contain results of
 * scans, which nobody else reads once the tasks have been sent. Buffers that several tasks read are not listed.
 */
export function movedBuffers(tasks: readonly QueryTask[]): ArrayBuffer[][] {
  const found = tasks.map((task) => [...buffersOf(foundBy(task))]);
  const readers = new Map<ArrayBuffer, number>();
  for (const buffer of found.flat()) readers.set(buffer, (readers.get(buffer) ?? 0) + 1);
  return found.map((buffers) =>
    buffers.filter((buffer) => buffer.byteLength >= leastBytes && readers.get(buffer) === 1),
  );
}

/**
 * Returns the part of a task that only this task uses. The task's plan is excluded, because it must stay readable on
 * the main thread.
 */
function foundBy(task: QueryTask): unknown {
  switch (task.kind) {
    case "finishHash":
    case "finishRows":
      return task.lanes;
    case "finishPairs":
      return [task.distincts, task.quantiles];
    case "cut":
      return task.columns;
    case "sample":
    case "scan":
    case "finishDirect":
    case "finishParts":
      return [];
  }
}
