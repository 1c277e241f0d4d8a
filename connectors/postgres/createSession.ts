import type { Batch, DataType } from "../../plugins/protocol/index.ts";
import type { SqlSession, Statement } from "../../plugins/sql/index.ts";
import type { Client } from "pg";
import { destroy } from "./connectClient.ts";
import { CopyOut } from "./copyOut.ts";
import { Portal, type PortalRow } from "./portal.ts";

/** A session of the pool. */
export interface PostgresSession extends SqlSession {
  readonly client: Client;
  /** Whether the connection still exists. */
  isOpen(): boolean;
  /** Plans a statement and answers its columns, without a row: the name, and the type in PostgreSQL's words. */
  describe(
    statement: Statement,
    signal: AbortSignal,
  ): Promise<readonly (readonly [name: string, nativeType: string])[]>;
  /** Ends what a call began: its transaction. */
  reset(): Promise<void>;
}

/** Rows of the first block; later ones are chosen by the size of those before. */
const firstRows = 64;
const mostRows = 2048;
const blockBytes = 2 ** 20;
/** Rows of a block whose size is measured. */
const sampledRows = 16;
/** How long the server may take to hear of a cancelled statement before its connection is cut. */
const cancelMs = 3000;

/**
 * Makes a session of a connected client. `cancel` ends what a process of the server is running; it connects for that,
 * because a busy connection takes no other statement.
 */
export function createSession(
  client: Client,
  cancel: (processId: number, signal: AbortSignal) => Promise<void>,
): PostgresSession {
  let isEnded = false;
  let isInTransaction = false;
  // A cursor that is read on an ended connection never answers.
  const untilEnd = new Promise<never>((_, reject) => {
    client.once("end", () => {
      isEnded = true;
      reject(new Error("Connection terminated unexpectedly"));
    });
  });
  untilEnd.catch(() => undefined);
  const processId = Number("processID" in client ? client.processID : undefined);

  /** Ends the running statement at the server, or cuts the connection. */
  const endStatement = async (): Promise<void> => {
    try {
      await cancel(processId, AbortSignal.timeout(cancelMs));
    } catch {
      destroy(client);
    }
  };
  async function* rows(
    statement: Statement,
    signal: AbortSignal,
  ): AsyncGenerator<readonly (readonly unknown[])[]> {
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
        // The server makes the next block while the caller reads this one.
        if (!isDone) portal.ask((count = nextCount(block, count)));
        if (block.length > 0) yield block;
        if (isDone) return;
      }
    } catch (failure) {
      isDone = true;
      signal.throwIfAborted();
      throw failure;
    } finally {
      signal.removeEventListener("abort", onAbort);
      if (!isDone && !isEnded)
        await Promise.race([portal.close(), untilEnd.catch(() => undefined)]);
      await ending;
    }
  }
  async function* batches(
    text: string,
    types: readonly DataType[],
    sizeBytes: number,
    signal: AbortSignal,
  ): AsyncGenerator<Batch> {
    signal.throwIfAborted();
    const copy = client.query(new CopyOut(text, types, sizeBytes));
    let [isDone, isEnding] = [false, false];
    let ending: Promise<void> | undefined;
    const stop = () => {
      if (isEnding) return;
      isEnding = true;
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
  const describe: PostgresSession["describe"] = async ({ text, values }, signal) => {
    signal.throwIfAborted();
    let ending: Promise<void> | undefined;
    const onAbort = () => {
      ending = endStatement();
    };
    signal.addEventListener("abort", onAbort, { once: true });
    try {
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
    } catch (failure) {
      signal.throwIfAborted();
      throw failure;
    } finally {
      signal.removeEventListener("abort", onAbort);
      await ending;
    }
  };
  return {
    client,
    rows,
    batches,
    describe,
    isOpen: () => !isEnded,
    async snapshot() {
      if (isInTransaction) return;
      await client.query("begin isolation level repeatable read read only");
      isInTransaction = true;
    },
    async unhurried() {
      isInTransaction = true;
      // The settings end with the transaction.
      await client.query(
        "begin isolation level repeatable read read only; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0",
      );
    },
    async reset() {
      if (!isInTransaction) return;
      isInTransaction = false;
      await client.query("commit");
    },
  };
}

/** Returns how many rows make a block of about a mebibyte. */
function nextCount(block: readonly PortalRow[], count: number): number {
  const sample = block.slice(-sampledRows);
  let sizeBytes = 1;
  for (const row of sample) for (const cell of row) sizeBytes += 16 + (cell?.length ?? 0);
  const fitting = Math.floor((blockBytes * sample.length) / sizeBytes);
  return Math.max(1, Math.min(fitting, count * 4, mostRows));
}
