import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import knexOf from "knex";
import { openCatalog, openEmbeddedPostgres, type Log } from "../../core/catalog/index.ts";

export const silentLog: Log = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** A PostgreSQL server for tests, and the template that holds an empty catalog. */
export interface TestServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly template: string;
}

export interface OpenTestServer extends TestServer {
  close(): Promise<void>;
}

const template = "manifold_template";

/** Starts the server and makes its template. Nothing that it writes has to survive the machine. */
export async function openTestServer(): Promise<OpenTestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), "manifold-test-"));
  const postgres = await openEmbeddedPostgres({
    dataDir,
    log: silentLog,
    settings: {
      fsync: "off",
      synchronous_commit: "off",
      full_page_writes: "off",
      wal_level: "minimal",
      max_wal_senders: "0",
      checkpoint_timeout: "1h",
      autovacuum: "off",
      jit: "off",
      max_connections: "120",
    },
  });
  const { host, port, user, password } = postgres.address;
  const server = { host, port, user, password, template };
  await runStatement(server, `create database ${template}`);
  const first = await openCatalog({
    databaseUrl: urlOf(server, template),
    dataDir,
    log: silentLog,
  });
  await first.close();
  return {
    ...server,
    async close() {
      await postgres.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns the address of a database of the server. */
export function urlOf({ host, port, user, password }: TestServer, database: string): string {
  return `postgresql://${user}:${password}@${encodeURIComponent(host)}:${port}/${database}`;
}

/** Runs a statement outside every catalog. */
export async function runStatement(server: TestServer, statement: string): Promise<void> {
  const { host, port, user, password } = server;
  const knex = knexOf({
    client: "pg",
    connection: { host, port, user, password, database: "postgres" },
  });
  try {
    await knex.raw(statement);
  } finally {
    await knex.destroy();
  }
}
