import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EmbeddedPostgres, openEmbeddedPostgres } from "@manifold-analytics/host";
import pg from "pg";
import { airports } from "../support/airports.ts";
import { freePort } from "../support/freePort.ts";

/** A PostgreSQL server that contains the table of airports. */
export interface AirportsServer {
  readonly host: string;
  readonly port: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  close(): Promise<void>;
}

/**
 * Starts a PostgreSQL server on `ownPort` or on a free loopback port, with a random password, and fills the table of
 * airports. If `MANIFOLD_EXAMPLE_POSTGRES` names a database (`postgres://user:password@host:port/database`), fills the
 * table in that database and starts no server.
 */
export async function openPostgres(ownPort?: number): Promise<AirportsServer> {
  const given = process.env["MANIFOLD_EXAMPLE_POSTGRES"];
  if (given !== undefined) {
    const { hostname: host, port, username, password, pathname } = new URL(given);
    const server = {
      host,
      port: port || "5432",
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      database: decodeURIComponent(pathname.slice(1)),
    };
    await fill(server);
    return { ...server, close: async () => undefined };
  }
  const folder = await mkdtemp(join(tmpdir(), "manifold-airports-"));
  const port = ownPort ?? (await freePort());
  let server: EmbeddedPostgres | undefined;
  const close = async () => {
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    server = await openEmbeddedPostgres({
      dataDir: folder,
      log: { info: () => undefined, warn: console.warn, error: console.error },
      settings: { listen_addresses: "127.0.0.1", port: String(port) },
    });
    const { user, password } = server.address;
    const address = { host: "127.0.0.1", port: String(port), user, password, database: "postgres" };
    await fill(address);
    return { ...address, close };
  } catch (cause) {
    await close();
    throw new Error(
      "the example's PostgreSQL did not start; set MANIFOLD_EXAMPLE_POSTGRES to postgres://user:password@host:port/database",
      { cause },
    );
  }
}

async function fill({ host, port, user, password, database }: Omit<AirportsServer, "close">) {
  const client = new pg.Client({ host, port: Number(port), user, password, database });
  await client.connect();
  try {
    await client.query(
      "create table if not exists airports (code text primary key, city text, state text)",
    );
    for (const airport of airports)
      await client.query("insert into airports values ($1, $2, $3) on conflict do nothing", [
        ...airport,
      ]);
  } finally {
    await client.end();
  }
}
