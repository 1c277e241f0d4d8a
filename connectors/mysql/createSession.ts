import type { Connection } from "mysql2";
import type { SqlSession, Statement } from "../../plugins/sql/index.ts";
import { connect, type ConnectOptions, encryptionOf } from "./connectClient.ts";
import type { Settings } from "./settings.ts";
import { readDeadline, resetSession, run, setDeadline, setUp, startTransaction } from "./setUp.ts";
import { streamRows } from "./streamRows.ts";

/** A connection that was set up for reading. */
export interface MysqlSession extends SqlSession {
  readonly settings: Settings;
  /** Describes the columns of a statement's answer without running it. */
  describe(statement: string, signal: AbortSignal): Promise<readonly DescribedColumn[]>;
  /** Whether the connection still exists. */
  isOpen(): boolean;
  /**
   * Rolls back the transaction of a call and, after a person's statement, resets the session. Closes the connection if
   * the server cannot do that.
   */
  reset(): Promise<void>;
  close(): void;
}

/** A column of an answer as the protocol of the server describes it. */
export interface DescribedColumn {
  readonly name: string;
  /** Number of the type in the protocol. */
  readonly columnType: number;
  readonly characterSet: number;
  readonly flags: number;
  /** In bytes. */
  readonly columnLength: number;
  readonly decimals: number;
}

/** Time that the server has to end a statement. */
const controlMs = 3_000;

/** Connects, logs in and sets the session up. */
export async function createSession(
  settings: Settings,
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<MysqlSession> {
  const connection = await connect(settings, options, signal);
  let isBroken = false;
  connection.on("error", () => {
    isBroken = true;
  });
  connection.on("end", () => {
    isBroken = true;
  });
  const close = () => {
    isBroken = true;
    connection.destroy();
  };
  // The connection is not used again: a late kill could end the statement of another caller.
  const endStatement = async () => {
    try {
      if (!isBroken) await killStatement(connection.threadId, settings, options);
    } finally {
      close();
    }
  };
  let ownDeadlineMs = 0;
  try {
    ownDeadlineMs = await untilAborted(signal, readDeadline(connection));
    await untilAborted(signal, setUp(connection, options.timeoutMs, ownDeadlineMs));
  } catch (failure) {
    close();
    throw failure;
  }
  let isTransaction = false;
  let isExposed = false;
  let isUnhurried = false;
  return {
    encryption: encryptionOf(connection),
    settings,
    rows: (statement: Statement, abort) => streamRows(connection, statement, abort, endStatement),
    async expose() {
      if (isExposed) return;
      isExposed = true;
      if (await startTransaction(connection, "start transaction read only")) isTransaction = true;
    },
    async snapshot() {
      await run(connection, "start transaction with consistent snapshot, read only");
      isTransaction = true;
    },
    async unhurried() {
      isUnhurried = true;
      await setDeadline(connection, ownDeadlineMs);
    },
    describe: (statement, abort) => untilAborted(abort, prepare(connection, statement)),
    // The server compares a column of another type without an error: `now 1` is the number 0.
    async shapeOf({ text }, abort) {
      const columns = await untilAborted(abort, prepare(connection, text));
      return JSON.stringify(
        columns.map(({ name, columnType, characterSet, flags, columnLength, decimals }) => [
          name,
          columnType,
          characterSet,
          flags,
          columnLength,
          decimals,
        ]),
      );
    },
    isOpen: () => !isBroken,
    async reset() {
      if (isTransaction) await run(connection, "rollback");
      isTransaction = false;
      if (isExposed && !(await resetSession(connection))) return close();
      if (isExposed) await setUp(connection, options.timeoutMs, ownDeadlineMs);
      else if (isUnhurried) await setDeadline(connection, options.timeoutMs, ownDeadlineMs);
      [isExposed, isUnhurried] = [false, false];
    },
    close,
  };
}

/** Ends the statement of a connection through another one, so that the server does not work on for nobody. */
async function killStatement(
  threadId: number,
  settings: Settings,
  options: ConnectOptions,
): Promise<void> {
  try {
    const control = await connect(settings, options, AbortSignal.timeout(controlMs));
    try {
      await untilAborted(
        AbortSignal.timeout(controlMs),
        run(control, `kill query ${BigInt(threadId)}`),
      );
    } finally {
      control.destroy();
    }
  } catch {
    // The server is gone, has no connection left, or the statement has ended; closing the connection is what remains.
  }
}

function prepare(connection: Connection, statement: string): Promise<readonly DescribedColumn[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly DescribedColumn[]>();
  connection.prepare(statement, (failure, prepared) => {
    if (failure) return void reject(failure);
    // Not in the driver's types.
    const { columns } = prepared as unknown as { columns: readonly DescribedColumn[] };
    connection.unprepare(statement);
    resolve(columns);
  });
  return promise;
}

/** Rejects with the reason of an abort; the work goes on without its caller. */
async function untilAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
