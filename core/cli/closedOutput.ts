/** The exit status of a command whose reader has left: 128 plus the number of SIGPIPE, as a shell reports it. */
const brokenPipeStatus = 141;

/**
 * Handles a standard output or error stream that nobody reads any more, such as that of `manifold … | head -1`. Further
 * output is dropped, and the command still completes its work, so that a change is never left half done. The exit
 * status is then 141, unless the command failed. Returns a promise that resolves when the standard output is closed.
 */
export function handleClosedOutput(): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (failure: NodeJS.ErrnoException) => {
      // Windows reports EOF.
      if (
        failure.code !== "EPIPE" &&
        failure.code !== "EOF" &&
        failure.code !== "ERR_STREAM_DESTROYED"
      )
        throw failure;
      if (stream === process.stdout) resolve();
    });
  void closed.then(() => {
    process.on("exit", () => {
      if (process.exitCode === undefined || process.exitCode === 0)
        process.exitCode = brokenPipeStatus;
    });
  });
  return closed;
}
