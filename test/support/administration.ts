import { Socket } from "node:net";
import { Client } from "pg";
import type { TestServer } from "./testServer.ts";

/** Runs statements one after another, outside all hosts and catalogs of the tests. */
export interface Administration {
  /** Resolves to the rows of the statement, or to no rows for several statements. */
  run<Row extends object = object>(statement: string): Promise<readonly Row[]>;
}

/** Opens one connection to the server. It closes with the server or this process, and keeps neither of them alive. */
export async function openAdministration(
  server: TestServer,
  database = "postgres",
): Promise<Administration> {
  const { host, port, user, password } = server;
  const stream = new Socket();
  const client = new Client({ host, port, user, password, database, stream: () => stream });
  // A statement rejects when the connection is lost. Between statements, this means that the server has stopped.
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
