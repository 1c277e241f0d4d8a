import type { Connection } from "mysql2";
import type { Statement } from "../../plugins/sql/index.ts";

/** Rows that are waiting at most before the connection is paused. */
const blockRows = 2048;

/**
 * Prepares a statement at the server and reads its rows in blocks. The connection is paused while the caller is behind.
 * An abort rejects at once; `onUnfinished` runs when the caller leaves before the last row, whatever the reason.
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
  // A connection that is lost says so itself, and not through its commands.
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
      // Read before the connection goes on, which may set it.
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
