/**
 * Number of libuv's threads. Up to half of them may wait for a disk; of libuv's default of four, only two would be
 * left. Idle threads cost nothing.
 */
const threadCount = 12;

/**
 * Gives libuv enough threads for files, host names and password hashes. libuv reads the variable when it first needs a
 * thread. Keeps the variable's value if it is already set.
 */
export function makeThreads(): void {
  process.env["UV_THREADPOOL_SIZE"] ??= String(threadCount);
}
