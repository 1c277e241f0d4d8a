import { Socket } from "node:net";
import { Client } from "pg";
import type { TestServer } from "./testServer.ts";

/** Runs statements outside every host and catalog of the tests, one after the other. */
export interface Administration {
  /** Resolves to the rows of the statement; of several, to none. */
  run<Row extends object = object>(statement: string): Promise<readonly Row[]>;
}

/** Opens one connection to the server, which ends with the server or this process and keeps neither alive. */
export async function openAdministration(
  server: TestServer,
  database = "postgres",
): Promise<Administration> {
  const { host, port, user, password } = server;
  const stream = new Socket();
  const client = new Client({ host, port, user, password, database, stream: () => stream });
  // A statement rejects when the connection is gone; between statements that is the end of the server.
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
