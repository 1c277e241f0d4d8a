import { Socket } from "node:net";
import { Client } from "pg";
import type { TestServer } from "./testServer.ts";

/** A connection that runs statements one after another. No host or catalog of the tests uses it. */
export interface Administration {
  /** Resolves to the rows of the statement, or to no rows for several statements. */
  run<Row extends object = object>(statement: string): Promise<readonly Row[]>;
}

/**
 * Opens a connection to the server. It closes together with the server or this process, and keeps neither of them
 * running.
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
