import knexOf, { type Knex } from "knex";
import type { CatalogAddress } from "./catalogAddress.ts";
import { notingClient } from "./catalogFailure.ts";
import { watchSilence } from "./watchSilence.ts";
import type { Log } from "./log.ts";
import { migrate } from "./migrate.ts";
import { fillReference } from "./reference/fillReference.ts";
import { openEmbeddedPostgres, type EmbeddedPostgres } from "./postgres/embeddedPostgres.ts";
import type { ServerAddress } from "./postgres/waitUntilReady.ts";

/** The host's own records: an open PostgreSQL whose schema is up to date. */
export interface Catalog {
  /** For statements of their own. */
  readonly knex: Knex;
  /** For transactions. Its connections are others: readers wait for no writer. */
  readonly transactions: Knex;
  /** Where the database is, with the password: for commands of the operator. */
  readonly address: CatalogAddress;
  /** Resolves when the database answers. */
  ready(): Promise<void>;
  /** Ends the connections, and the embedded server if there is one. Safe to call again. */
  close(): Promise<void>;
}

export interface CatalogOptions {
  /** A PostgreSQL to use; undefined runs an embedded one in `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  readonly log: Log;
  /** Leaves the schema as it is, for a restore that fills an empty database; brought up to date when absent. */
  readonly keepsSchema?: boolean;
}

const database = "manifold";

/** Milliseconds in which a server takes a connection, or counts as away. */
const connectMs = 5_000;
/** At the start of an embedded server, which is there: a busy machine takes longer. */
const firstConnectMs = 30_000;

/**
 * A machine that vanished amid a transaction keeps its locks until the server notices: after eleven seconds, or fifteen
 * when something was sent to it.
 */
const settings = `set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3;
  set tcp_user_timeout = 15000; select pg_is_in_recovery() as is_standby`;

/** @throws {Error} for a standby, whose rows may be old, and which takes no changes */
async function prepare(connection: { query(statement: object): Promise<unknown> }): Promise<void> {
  const answers = await connection.query({ text: settings, query_timeout: connectMs });
  const rows = Array.isArray(answers) ? answers.at(-1)?.rows : [];
  if (rows[0]?.is_standby === true)
    throw new Error(
      "the server of the catalog is a standby, which takes no changes; name the primary, or promote it",
    );
}

function connect(server: CatalogAddress, log: Log, timeoutMs = connectMs): Knex {
  const knex = knexOf({
    client: notingClient({ prepare, watch: watchSilence({ address: server, log }) }),
    compileSqlOnError: false,
    connection: { ...server, connectionTimeoutMillis: timeoutMs, keepAlive: true },
    pool: { min: 0, max: 10 },
    acquireConnectionTimeout: 30_000,
    log: {
      // The failure itself reaches whoever waits for the connection.
      warn: (message) => {
        if (!String(message).startsWith("Acquire connection error")) log.warn({}, String(message));
      },
      error: (message) => log.error({}, String(message)),
      deprecate: (message) => log.warn({}, String(message)),
      debug: () => undefined,
    },
  });
  return knex.on("query-error", removeStatement);
}

/**
 * Removes the statement, which Knex puts before the message, and the members in which the server adds values of the
 * row: neither belongs in a log.
 */
function removeStatement(failure: Error, { sql }: { readonly sql: string }): void {
  const statement = `${sql} - `;
  if (failure.message.startsWith(statement))
    failure.message = failure.message.slice(statement.length);
  for (const member of ["detail", "where", "internalQuery"])
    if (member in failure) Reflect.deleteProperty(failure, member);
}

async function createDatabase(address: ServerAddress, log: Log): Promise<void> {
  const knex = connect({ ...address, database: "postgres" }, log, firstConnectMs);
  try {
    const { rows } = await knex.raw("select 1 from pg_database where datname = ?", [database]);
    if (rows.length === 0) await knex.raw("create database ??", [database]);
  } finally {
    await knex.destroy();
  }
}

function refuseToOpen(cause: Error): never {
  throw new Error(`the catalog does not open: ${cause.message}`, { cause });
}

/**
 * Opens the catalog: starts the embedded PostgreSQL when no `databaseUrl` is given, and brings the
 * schema up to date. The first start takes about a second, a later one a tenth.
 * @throws {Error} that says what to do, never with the URL's password
 */
export async function openCatalog({
  databaseUrl,
  dataDir,
  log,
  keepsSchema = false,
}: CatalogOptions): Promise<Catalog> {
  let server: EmbeddedPostgres | undefined;
  const pools: Knex[] = [];
  const close = async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.destroy()));
    await server?.close();
    server = undefined;
  };
  try {
    if (!databaseUrl) {
      server = await openEmbeddedPostgres({ dataDir, log });
      await createDatabase(server.address, log).catch(refuseToOpen);
    }
    const address = server
      ? { ...server.address, database }
      : { connectionString: String(databaseUrl) };
    const openPool = () => {
      const pool = connect(address, log);
      pools.push(pool);
      return pool;
    };
    const knex = openPool();
    const prepare = async () => {
      await migrate(knex);
      await fillReference(knex);
    };
    if (!keepsSchema) await prepare().catch(refuseToOpen);
    return {
      knex,
      transactions: openPool(),
      address,
      async ready() {
        await knex.raw("select 1");
      },
      close,
    };
  } catch (failure) {
    await close();
    throw failure;
  }
}
