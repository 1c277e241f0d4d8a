import { Client } from "pg";
import type { CatalogAddress } from "./catalogAddress.ts";
import type { Log } from "./log.ts";

/** The members of a driver connection that are used here. */
export interface WatchedConnection {
  /** Id of the server process of the connection. */
  readonly processID: number | null;
  readonly connection: {
    readonly stream: { readonly bytesRead: number; destroy(reason?: Error): unknown };
  };
}

/** Watches a statement's connection until the returned function is called. */
export type Watch = (connection: WatchedConnection) => () => void;

export interface WatchOptions {
  /** Address of the database to which the connections lead. */
  readonly address: CatalogAddress;
  readonly log: Pick<Log, "warn">;
  /** Milliseconds without data after which the server is queried. Shorter in tests. */
  readonly silentMs?: number;
  /** Milliseconds within which the server must report its running statements. */
  readonly answerMs?: number;
}

/** Selects the processes that are not idle. The state is null if this user may not see it. */
const atWork = `
  select pid, pg_backend_pid() as own from pg_stat_activity
   where state is null or state not in ('idle', 'idle in transaction', 'idle in transaction (aborted)')`;

/**
 * Watches connections for responses that never arrive. Otherwise, a connection over a network that silently loses all
 * packets would stay open for a quarter of an hour. After four seconds without data, a second connection queries the
 * server for its running statements. If the server is not running the statement, or does not respond, the statement's
 * connection is closed, so that the statement fails. Slow statements, and connections behind a pooler that shares
 * sessions, are left alone.
 */
export function watchSilence({
  address,
  log,
  silentMs = 4_000,
  answerMs = 4_000,
}: WatchOptions): Watch {
  let querying: Promise<ReadonlySet<number> | undefined> | undefined;

  /** Returns the ids of working processes; undefined behind a pooler, whose connections have other ids. */
  const queryWorking = async (): Promise<ReadonlySet<number> | undefined> => {
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
      // Closing a silent connection may take long, so no caller waits for it.
      void client.end().catch(() => undefined);
    }
  };
  const isLost = async ({ processID }: WatchedConnection): Promise<boolean> => {
    querying ??= queryWorking().finally(() => {
      querying = undefined;
    });
    try {
      const working = await querying;
      return working !== undefined && !working.has(Number(processID));
    } catch (failure) {
      // A server that refuses the query has responded, so it is available.
      if (failure instanceof Error && "severity" in failure) return false;
      log.warn({ err: failure }, "the catalog's database does not respond");
      return true;
    }
  };

  return (connection) => {
    const { stream } = connection.connection;
    let isOver = false;
    let timer: NodeJS.Timeout;
    const look = async (seenBytes: number) => {
      // A response may arrive while the second connection queries the server.
      const isSilent = () => !isOver && stream.bytesRead === seenBytes;
      if (isSilent() && (await isLost(connection)) && isSilent())
        stream.destroy(new Error("the catalog's database did not respond"));
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
