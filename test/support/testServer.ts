import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openQueue } from "../../core/jobs/queue/openQueue.ts";
import {
  openCatalog,
  openEmbeddedPostgres,
  type Catalog,
  type Log,
} from "../../core/catalog/index.ts";

const run = promisify(execFile);

export const silentLog: Log = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** A PostgreSQL server for tests. */
export interface TestServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** The database that holds an empty catalog. */
  readonly template: string;
  /** A data folder as the first start of a catalog leaves it; nothing uses it. */
  readonly dataDir: string;
}

export interface OpenTestServer extends TestServer {
  close(): Promise<void>;
}

/**
 * Makes the data folder of an empty catalog, and starts a server on a copy of it. Nothing that the server writes has to
 * survive the machine.
 */
export async function openTestServer(): Promise<OpenTestServer> {
  const folders = ["template", "test"].map((name) => mkdtemp(join(tmpdir(), `manifold-${name}-`)));
  const [dataDir, copy] = (await Promise.all(folders)) as [string, string];
  const empty = await openCatalog({ databaseUrl: undefined, dataDir, log: silentLog });
  // The tables of jobs as well: each host would make its own, which costs more than the rest of its start.
  const jobs = await openQueue({ knex: empty.knex, log: silentLog, kinds: [] });
  await jobs.close();
  await makeSignInCheap(empty);
  await empty.close();
  await copyCatalog(dataDir, copy);
  const postgres = await openEmbeddedPostgres({
    dataDir: copy,
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
  return {
    host,
    port,
    user,
    password,
    template: "manifold",
    dataDir,
    async close() {
      await postgres.close();
      for (const folder of [copy, dataDir]) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Hashes the password of the server once instead of 4,096 times: a run makes thousands of connections. */
async function makeSignInCheap({ knex, address }: Catalog): Promise<void> {
  if (!("password" in address)) throw new TypeError("the server of the tests is an embedded one");
  await knex.transaction(async (transaction) => {
    await transaction.raw("set local scram_iterations = 1");
    const quoted = address.password.replaceAll("'", "''");
    await transaction.raw(`alter role current_user password '${quoted}'`);
  });
}

/** Copies the catalog of a data folder that nothing uses to another folder, with the owner of its files. */
export async function copyCatalog(from: string, to: string): Promise<void> {
  // `initialize` of core/catalog/postgres makes these two.
  const paths = ["catalog", "catalog-password"].map((name) => join(from, name));
  await run("cp", ["-a", ...paths, to]);
}

/** Returns the address of a database of the server. */
export function urlOf({ host, port, user, password }: TestServer, database: string): string {
  return `postgresql://${user}:${password}@${encodeURIComponent(host)}:${port}/${database}`;
}
