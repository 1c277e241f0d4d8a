import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedPostgres } from "../../core/catalog/index.ts";
import { copyCatalog } from "./copyCatalog.ts";
import { keptCatalog } from "./keptCatalog.ts";
import { silentLog } from "./silentLog.ts";

export { copyCatalog } from "./copyCatalog.ts";
export { silentLog } from "./silentLog.ts";

/** A PostgreSQL server that tests use for their catalogs. */
export interface TestServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** The database that contains an empty catalog. */
  readonly template: string;
  /** A data folder with a catalog, in the state after the first start. Servers run only on copies of this folder. */
  readonly dataDir: string;
}

export interface OpenTestServer extends TestServer {
  close(): Promise<void>;
}

/** Starts a server on a copy of an empty catalog. The server's data does not have to survive a crash of the machine. */
export async function openTestServer(): Promise<OpenTestServer> {
  const dataDir = await keptCatalog();
  const copy = await mkdtemp(join(tmpdir(), "manifold-test-"));
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
      await rm(copy, { recursive: true, force: true });
    },
  };
}

/** Returns the address of a database on the server. */
export function urlOf({ host, port, user, password }: TestServer, database: string): string {
  return `postgresql://${user}:${password}@${encodeURIComponent(host)}:${port}/${database}`;
}
