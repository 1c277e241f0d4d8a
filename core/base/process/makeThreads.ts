/** Half of the threads may wait for a disk; libuv's default of four would leave two. An idle thread costs nothing. */
const threadCount = 12;

/**
 * Gives libuv enough threads for files, host names and password hashes. libuv reads the variable when it first needs
 * one of these. A variable that is already set is kept.
 */
export function makeThreads(): void {
  process.env["UV_THREADPOOL_SIZE"] ??= String(threadCount);
}
