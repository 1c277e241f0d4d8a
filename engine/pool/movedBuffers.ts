import { buffersOf } from "./buffersOf.ts";
import type { QueryTask } from "./messages.ts";

/** Smaller buffers cost less to copy than to move. */
const leastBytes = 2 ** 14;

/**
 * Lists, for each task, the buffers that move to its thread instead of being copied on the main thread: what scans
 * found, which nobody reads after the tasks were sent. A buffer that several tasks read is in no list.
 */
export function movedBuffers(tasks: readonly QueryTask[]): ArrayBuffer[][] {
  const found = tasks.map((task) => [...buffersOf(foundBy(task))]);
  const readers = new Map<ArrayBuffer, number>();
  for (const buffer of found.flat()) readers.set(buffer, (readers.get(buffer) ?? 0) + 1);
  return found.map((buffers) =>
    buffers.filter((buffer) => buffer.byteLength >= leastBytes && readers.get(buffer) === 1),
  );
}

/** The part of a task that was made for it alone; its plan stays readable here. */
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
