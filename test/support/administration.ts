import { Socket } from "node:net";
import { Client } from "pg";
import type { TestServer } from "./testServer.ts";

/** Runs statements outside every catalog, one after the other. */
export interface Administration {
  run(statement: string): Promise<void>;
}

/** Opens one connection to the server, which ends with the server or this process and keeps neither alive. */
export async function openAdministration(server: TestServer): Promise<Administration> {
  const { host, port, user, password } = server;
  const stream = new Socket();
  const database = "postgres";
  const client = new Client({ host, port, user, password, database, stream: () => stream });
  // A statement rejects when the connection is gone; between statements that is the end of the server.
  client.on("error", () => undefined);
  await client.connect();
  stream.unref();
  let last: Promise<unknown> = Promise.resolve();
  const runAlone = async (statement: string) => {
    stream.ref();
    try {
      await client.query(statement);
    } finally {
      stream.unref();
    }
  };
  return {
    run(statement) {
      const done = last.then(() => runAlone(statement));
      last = done.catch(() => undefined);
      return done;
    },
  };
}
