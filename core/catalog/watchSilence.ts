import { Client } from "pg";
import type { CatalogAddress } from "./catalogAddress.ts";
import type { Log } from "./log.ts";

/** The members of a connection of the driver that are used. */
export interface WatchedConnection {
  /** Names the process of the server that works for it. */
  readonly processID: number | null;
  readonly connection: {
    readonly stream: { readonly bytesRead: number; destroy(reason?: Error): unknown };
  };
}

/** Watches the connection of a statement until the returned function is called. */
export type Watch = (connection: WatchedConnection) => () => void;

export interface WatchOptions {
  /** Where the connections lead to. */
  readonly address: CatalogAddress;
  readonly log: Pick<Log, "warn">;
  /** Milliseconds without a byte after which the server is asked; fewer in tests. */
  readonly silentMs?: number;
  /** Milliseconds in which the server has to say what it works on. */
  readonly answerMs?: number;
}

/** States of processes that have nothing to do; a state that this user may not see is null. */
const atWork = `
  select pid, pg_backend_pid() as own from pg_stat_activity
   where state is null or state not in ('idle', 'idle in transaction', 'idle in transaction (aborted)')`;

/**
 * Makes the watch over connections that wait for an answer which never comes: a network that loses everything in
 * silence ends no connection for a quarter of an hour. When nothing arrives for four seconds, a connection of its own
 * asks the server what it works on. Where it does not work on the statement, or does not answer, the statement's
 * connection is ended, so the statement fails. A statement that takes long is left alone, as are all behind a pooler
 * that shares sessions and answers.
 */
export function watchSilence({
  address,
  log,
  silentMs = 4_000,
  answerMs = 4_000,
}: WatchOptions): Watch {
  let asking: Promise<ReadonlySet<number> | undefined> | undefined;

  /** Answers the processes at work; undefined behind a pooler, whose connections have other names. */
  const ask = async (): Promise<ReadonlySet<number> | undefined> => {
    const client = new Client({
      ...address,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
    });
    client.on("error", () => undefined);
    try {
      await client.connect();
      const ownId = "processID" in client ? client.processID : undefined;
      const { rows } = await client.query<{ pid: number; own: number }>(atWork);
      const isDirect = rows.every(({ own }) => own === ownId);
      return isDirect ? new Set(rows.map(({ pid }) => pid)) : undefined;
    } finally {
      // Nobody waits for the end of a connection that is silent itself.
      void client.end().catch(() => undefined);
    }
  };
  const isLost = async ({ processID }: WatchedConnection): Promise<boolean> => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    try {
      const working = await asking;
      return working !== undefined && !working.has(Number(processID));
    } catch (failure) {
      // A server that refuses is there.
      if (failure instanceof Error && "severity" in failure) return false;
      log.warn({ err: failure }, "the catalog's database is silent");
      return true;
    }
  };

  return (connection) => {
    const { stream } = connection.connection;
    let isOver = false;
    let timer: NodeJS.Timeout;
    const look = async (seenBytes: number) => {
      // An answer may come while the server is asked.
      const isSilent = () => !isOver && stream.bytesRead === seenBytes;
      if (isSilent() && (await isLost(connection)) && isSilent())
        stream.destroy(new Error("the catalog's database did not answer"));
      else if (!isOver) wait();
    };
    const wait = () => {
      const seenBytes = stream.bytesRead;
      timer = setTimeout(() => void look(seenBytes), silentMs).unref();
    };
    wait();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  };
}
