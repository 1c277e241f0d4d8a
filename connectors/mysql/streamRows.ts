import type { Connection } from "mysql2";
import type { Statement } from "../../plugins/sql/index.ts";

/** Maximum number of rows that wait for the caller. If more rows wait, the connection is paused. */
const blockRows = 2048;

/**
 * Prepares a statement on the server and reads its rows in blocks. Pauses the connection while rows wait for the
 * caller. If `signal` is aborted, the iteration rejects at once. If the caller stops before the last row, for any
 * reason, `onUnfinished` is called.
 */
export async function* streamRows(
  connection: Connection,
  { text, values }: Statement,
  signal: AbortSignal,
  onUnfinished: () => Promise<void>,
): AsyncGenerator<readonly (readonly unknown[])[]> {
  signal.throwIfAborted();
  let waiting: (readonly unknown[])[] = [];
  let isEnded = false;
  let failure: unknown;
  let wake = Promise.withResolvers<void>();
  const end = () => {
    isEnded = true;
    wake.resolve();
  };
  const fail = (thrown: unknown) => {
    failure ??= thrown;
    wake.resolve();
  };
  const abort = () => fail(signal.reason);
  // If the connection is lost, the connection itself emits the error, and not its commands.
  connection.on("error", fail);
  signal.addEventListener("abort", abort, { once: true });
  const command = connection.execute({ sql: text, values: [...values] as string[] });
  command.on("error", fail);
  command.on("end", end);
  command.on("result", (row: readonly unknown[]) => {
    waiting.push(row);
    if (waiting.length === blockRows) connection.pause();
    wake.resolve();
  });
  try {
    for (;;) {
      await wake.promise;
      if (failure !== undefined) throw failure;
      const block = waiting;
      waiting = [];
      // The value is read before the connection resumes, because resuming may change it.
      const isLast = isEnded;
      wake = Promise.withResolvers();
      connection.resume();
      if (block.length > 0) yield block;
      if (isLast) return;
      if (isEnded || waiting.length > 0 || failure !== undefined) wake.resolve();
    }
  } finally {
    connection.off("error", fail);
    signal.removeEventListener("abort", abort);
    if (!isEnded) {
      command.removeAllListeners("result");
      connection.resume();
      await onUnfinished();
    }
  }
}
