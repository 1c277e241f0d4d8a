/**
 * Number of libuv's threads. File operations may occupy up to half of the threads. With libuv's default of four, only
 * two would remain for other work. Idle threads cost nothing.
 */
const threadCount = 12;

/**
 * Sets the number of libuv's threads, which read files, resolve host names and hash passwords. Call this function
 * early, because libuv reads the variable `UV_THREADPOOL_SIZE` only when it first needs a thread. A variable that is
 * already set keeps its value.
 */
export function makeThreads(): void {
  process.env["UV_THREADPOOL_SIZE"] ??= String(threadCount);
}
