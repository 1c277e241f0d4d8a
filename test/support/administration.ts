import { Socket } from "node:net";
import { Client } from "pg";
import type { TestServer } from "./testServer.ts";

/**
 * A connection that runs statements one after another. Only helpers of the tests use it, never a host or a catalog.
 */
export interface Administration {
  /** Runs SQL. Resolves to the rows of a single statement, or to no rows for several statements. */
  run<Row extends object = object>(statement: string): Promise<readonly Row[]>;
}

/**
 * Opens a connection to the server. The connection closes when the server or this process ends, and keeps neither of
 * them running.
 */
export async function openAdministration(
  server: TestServer,
  database = "postgres",
): Promise<Administration> {
  const { host, port, user, password } = server;
  const stream = new Socket();
  const client = new Client({ host, port, user, password, database, stream: () => stream });
  // When the connection is lost, a running statement rejects. Without a running statement, a lost connection means that
  // the server has stopped.
  client.on("error", () => undefined);
  await client.connect();
  stream.unref();
  let last: Promise<unknown> = Promise.resolve();
  const runAlone = async <Row extends object>(statement: string): Promise<readonly Row[]> => {
    stream.ref();
    try {
      const { rows } = await client.query<Row>(statement);
      return rows ?? [];
    } finally {
      stream.unref();
    }
  };
  return {
    run<Row extends object>(statement: string) {
      const done = last.then(() => runAlone<Row>(statement));
      last = done.catch(() => undefined);
      return done;
    },
  };
}
