import pg from "pg";
import type { Credentials } from "../../plugins/protocol/index.ts";
import { openAdministration, type Administration } from "./administration.ts";
import { databaseName } from "./databaseName.ts";
import { sharedServer } from "./sharedServer.ts";
import { findTestServer } from "./findTestServer.ts";
import type { TestServer } from "./testServer.ts";

/** An empty database on a real PostgreSQL server. */
export interface PostgresDatabase {
  /** The superuser's account. */
  readonly credentials: Credentials;
  readonly server: TestServer;
  readonly database: string;
  /** Runs statements as the superuser, without a connector. Resolves to the rows of the last statement. */
  run(statements: string, values?: readonly unknown[]): Promise<readonly (readonly unknown[])[]>;
  /** Drops the database. */
  close(): Promise<void>;
}

let administration: Promise<Administration> | undefined;

/** Creates a database. `options` are added to `create database`, for example `encoding 'LATIN1'`. */
export async function openPostgresDatabase(options = ""): Promise<PostgresDatabase> {
  const shared = await findTestServer();
  const { host, port, user, password } = shared;
  const database = databaseName();
  sharedServer.noteDatabase?.(database);
  const { run: administrate } = await (administration ??= openAdministration(shared));
  await administrate(`create database ${database} ${options}`);
  const client = new pg.Client({ host, port, user, password, database });
  await client.connect();
  return {
    server: shared,
    database,
    credentials: {
      host,
      key: user,
      token: password,
      properties: { port: String(port), scope: database, ssl: "disable" },
    },
    async run(statements, values) {
      const query = { text: statements, rowMode: "array" as const };
      const answer: unknown = await client.query(
        values ? { ...query, values: [...values] } : query,
      );
      const last = Array.isArray(answer) ? answer.at(-1) : answer;
      return (last as { readonly rows: readonly (readonly unknown[])[] }).rows;
    },
    async close() {
      await client.end();
      await administrate(`drop database if exists ${database} with (force)`);
    },
  };
}
