/** Half of them may wait for a disk; libuv's four would leave two. A thread that has nothing to do costs nothing. */
const threadCount = 12;

/**
 * Has libuv make enough threads for files, names of hosts and hashes of passwords. It reads the variable when the first
 * of them is needed; one that is set stays.
 */
export function makeThreads(): void {
  process.env["UV_THREADPOOL_SIZE"] ??= String(threadCount);
}
