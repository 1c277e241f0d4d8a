import type { Connection } from "mysql2";
import type { SqlSession, Statement } from "../../plugins/sql/index.ts";
import { connect, type ConnectOptions, encryptionOf } from "./connectClient.ts";
import type { Settings } from "./settings.ts";
import { readDeadline, resetSession, run, setDeadline, setUp, startTransaction } from "./setUp.ts";
import { streamRows } from "./streamRows.ts";

/** A connection set up for reading. */
export interface MysqlSession extends SqlSession {
  readonly settings: Settings;
  /** Returns the columns of a statement's result without running it. */
  describe(statement: string, signal: AbortSignal): Promise<readonly DescribedColumn[]>;
  /** Returns whether the connection is still open. */
  isOpen(): boolean;
  /**
   * Rolls back a call's transaction and, after a person's statement, resets the session. If the server cannot do this,
   * closes the connection.
   */
  reset(): Promise<void>;
  close(): void;
}

/** A column of a result, as the server's protocol describes it. */
export interface DescribedColumn {
  readonly name: string;
  /** Number of the type in the protocol. */
  readonly columnType: number;
  readonly characterSet: number;
  readonly flags: number;
  /** Maximum length of a value, in bytes. */
  readonly columnLength: number;
  readonly decimals: number;
}

/** Milliseconds within which the server must stop a statement. */
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
  // The connection is not reused, because a kill that arrives late could stop another caller's statement.
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
    // The probe also compares the type of the column, because the server compares a column of another type without an
    // error: it reads the string `now 1` as the number 0.
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

/**
 * Stops the statement of a connection through a second connection, because the server would otherwise continue to run
 * the statement.
 */
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
    // The server cannot be reached or has no free connection, or the statement has already ended. In each case, the
    // only remedy is to close the connection.
  }
}

function prepare(connection: Connection, statement: string): Promise<readonly DescribedColumn[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly DescribedColumn[]>();
  connection.prepare(statement, (failure, prepared) => {
    if (failure) return void reject(failure);
    // The driver's types lack this member.
    const { columns } = prepared as unknown as { columns: readonly DescribedColumn[] };
    connection.unprepare(statement);
    resolve(columns);
  });
  return promise;
}

/**
 * Waits for work. If the signal is aborted, rejects immediately with the abort reason, while the work continues in the
 * background.
 */
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
