import type { Batch, DataType } from "../../plugins/protocol/index.ts";
import type { SqlSession, Statement } from "../../plugins/sql/index.ts";
import type { Client } from "pg";
import { beginTransaction, leaveTransaction } from "./beginTransaction.ts";
import { destroy } from "./connectClient.ts";
import { CopyOut } from "./copyOut.ts";
import { Portal, type PortalRow } from "./portal.ts";

/** A session of the pool. */
export interface PostgresSession extends SqlSession {
  readonly client: Client;
  /** Returns whether the connection is still open. */
  isOpen(): boolean;
  /** Plans a statement without running it. Returns the names of its columns with PostgreSQL's type names. */
  describe(
    statement: Statement,
    signal: AbortSignal,
  ): Promise<readonly (readonly [name: string, nativeType: string])[]>;
  /**
   * Cleans up after a call: rolls back its transaction and, after a person's statement, resets the session. The next
   * call waits for the cleanup. If the cleanup fails, the session is closed.
   */
  reset(): void;
  /** Rolls back the transaction. Called before the connection is closed. */
  leave(): Promise<void>;
}

export interface SessionOptions {
  /** Server-side deadline of each statement, in milliseconds. */
  readonly timeoutMs: number;
  /** Cancels the session's running statement. */
  cancel(signal: AbortSignal): Promise<void>;
}

/**
 * Number of rows of the first block. The number of rows of each later block depends on the size of the block before it.
 */
const firstRows = 64;
const mostRows = 2048;
const blockBytes = 2 ** 20;
/** Number of rows whose size is measured in each block. */
const sampledRows = 16;
/** Milliseconds within which the server must accept a cancel request. If it does not, the connection is closed. */
const cancelMs = 3000;

/**
 * Creates a session on a connected client. Each call has its own transaction, which begins with the first statement of
 * the call.
 */
export function createSession(
  client: Client,
  { timeoutMs, cancel }: SessionOptions,
): PostgresSession {
  let isEnded = false;
  let state: "idle" | "open" | "failed" = "idle";
  let isUnhurried = false;
  /** Whether a statement that a person wrote runs in the transaction. */
  let isExposed = false;
  /**
   * Whether the connection leads directly to the server, and not through a pooler that shares connections among
   * clients.
   */
  let isDirect = true;
  /** Resolves when the previous call has been rolled back. */
  let settling: Promise<void> = Promise.resolve();
  // A cursor never responds after the connection is closed, so the end of the connection is awaited too.
  const untilEnd = new Promise<never>((_, reject) => {
    client.once("end", () => {
      isEnded = true;
      reject(new Error("Connection terminated unexpectedly"));
    });
  });
  untilEnd.catch(() => undefined);
  const processId = Number("processID" in client ? client.processID : undefined);

  /** Stops the running statement on the server, or closes the connection. */
  const endStatement = async (): Promise<void> => {
    try {
      await cancel(AbortSignal.timeout(cancelMs));
    } catch {
      destroy(client);
    }
  };
  const leave = async (): Promise<void> => {
    if (state === "idle") return;
    // If the transaction failed to begin, the savepoint does not exist.
    await client.query(leaveTransaction).catch(() => client.query("rollback"));
    state = "idle";
  };
  const settle = async (isDiscarded: boolean): Promise<void> => {
    await leave();
    if (isDiscarded) await client.query("discard all");
  };
  /** Begins the transaction of the call, or begins it again after a failed statement. */
  const enter = async (): Promise<void> => {
    await settling;
    if (state === "open") return;
    await leave();
    // The transaction must be rolled back even if it fails to begin.
    state = "failed";
    const serverId = await beginTransaction(client, isUnhurried ? undefined : timeoutMs);
    isDirect = serverId === processId;
    state = "open";
  };
  /** Runs work in the transaction. Aborting `signal` cancels the running statement. */
  const inTransaction = async <Result>(
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    signal.throwIfAborted();
    let ending: Promise<void> | undefined;
    const onAbort = () => {
      ending = endStatement();
    };
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      await enter();
      return await work();
    } catch (failure) {
      state = "failed";
      signal.throwIfAborted();
      throw failure;
    } finally {
      signal.removeEventListener("abort", onAbort);
      await ending;
    }
  };
  async function* rows(
    statement: Statement,
    signal: AbortSignal,
  ): AsyncGenerator<readonly (readonly unknown[])[]> {
    await inTransaction(signal, async () => undefined);
    signal.throwIfAborted();
    const portal = client.query(new Portal(statement, firstRows));
    let ending: Promise<void> | undefined;
    let isDone = false;
    const onAbort = () => {
      ending = endStatement();
    };
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      let count = firstRows;
      for (;;) {
        const { rows: block, isLast } = await Promise.race([portal.block, untilEnd]);
        signal.throwIfAborted();
        isDone = isLast;
        // The server computes the next block while the caller reads this one.
        if (!isDone) portal.request((count = nextCount(block, count)));
        if (block.length > 0) yield block;
        if (isDone) return;
      }
    } catch (failure) {
      isDone = true;
      state = "failed";
      signal.throwIfAborted();
      throw failure;
    } finally {
      signal.removeEventListener("abort", onAbort);
      if (!isDone && !isEnded)
        await Promise.race([portal.close(), untilEnd.catch(() => undefined)]);
      if (ending) state = "failed";
      await ending;
    }
  }
  async function* batches(
    text: string,
    types: readonly DataType[],
    sizeBytes: number,
    signal: AbortSignal,
  ): AsyncGenerator<Batch> {
    await inTransaction(signal, async () => undefined);
    signal.throwIfAborted();
    const copy = client.query(new CopyOut(text, types, sizeBytes));
    let [isDone, isEnding] = [false, false];
    let ending: Promise<void> | undefined;
    const stop = () => {
      if (isEnding) return;
      isEnding = true;
      state = "failed";
      copy.leave();
      ending = endStatement();
    };
    signal.addEventListener("abort", stop, { once: true });
    try {
      for (;;) {
        const batch = await Promise.race([copy.next(), untilEnd]);
        signal.throwIfAborted();
        isDone = batch === undefined;
        if (!batch) return;
        yield batch;
      }
    } catch (failure) {
      state = "failed";
      signal.throwIfAborted();
      throw failure;
    } finally {
      signal.removeEventListener("abort", stop);
      if (!isDone && !isEnded) {
        stop();
        await ending;
        await Promise.race([copy.ended, untilEnd.catch(() => undefined)]);
      }
    }
  }
  return {
    client,
    rows,
    batches,
    describe: ({ text, values }, signal) =>
      inTransaction(signal, async () => {
        const { fields } = await client.query({
          text: `select * from (${text}) statement limit 0`,
          values: [...values],
          rowMode: "array",
        });
        const named = await client.query<[string]>({
          text: "select pg_catalog.format_type(type, modifier) from unnest($1::oid[], $2::int[]) with ordinality t(type, modifier, place) order by place",
          values: [
            fields.map(({ dataTypeID }) => dataTypeID),
            fields.map(({ dataTypeModifier }) => dataTypeModifier),
          ],
          rowMode: "array",
        });
        return fields.map(({ name }, index) => [name, named.rows[index]?.[0] ?? ""]);
      }),
    // If this host has destroyed the stream, the client may not have noticed yet.
    isOpen: () => !isEnded && !client.connection.stream.destroyed,
    expose() {
      isExposed = true;
    },
    async unhurried() {
      isUnhurried = true;
    },
    async leave() {
      await settling;
      await leave();
    },
    reset() {
      // Behind a pooler, `discard all` could reset the connection of another client.
      settling = settle(isExposed && isDirect).catch(() => destroy(client));
      isExposed = isUnhurried = false;
    },
  };
}

/** Returns the number of rows for a block of about one mebibyte. */
function nextCount(block: readonly PortalRow[], count: number): number {
  const sample = block.slice(-sampledRows);
  let sizeBytes = 1;
  for (const row of sample) for (const cell of row) sizeBytes += 16 + (cell?.length ?? 0);
  const fitting = Math.floor((blockBytes * sample.length) / sizeBytes);
  return Math.max(1, Math.min(fitting, count * 4, mostRows));
}
