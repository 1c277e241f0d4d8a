import knexOf, { type Knex } from "knex";
import type { CatalogAddress } from "./catalogAddress.ts";
import { notingClient } from "./catalogFailure.ts";
import { watchSilence } from "./watchSilence.ts";
import type { Log } from "./log.ts";
import { migrate } from "./migrate.ts";
import { fillReference } from "./reference/fillReference.ts";
import { openEmbeddedPostgres, type EmbeddedPostgres } from "./postgres/embeddedPostgres.ts";
import { findTemplateFile } from "./postgres/template/templateFile.ts";
import type { ServerAddress } from "./postgres/waitUntilReady.ts";
import { templateKey } from "./templateKey.ts";

/** An open catalog: the PostgreSQL database with the host's own records, and an up-to-date schema. */
export interface Catalog {
  /** Connections for single statements. */
  readonly knex: Knex;
  /** Connections for transactions. They are separate, so that readers never wait for writers. */
  readonly transactions: Knex;
  /** Address of the database, including the password, for operator commands. */
  readonly address: CatalogAddress;
  /** Resolves if the database responds. */
  ready(): Promise<void>;
  /** Closes the connections, and the embedded server if there is one. Can be called again. */
  close(): Promise<void>;
}

export interface CatalogOptions {
  /** URL of the PostgreSQL to use. If undefined, an embedded server starts in `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  readonly log: Log;
  /**
   * Whether to leave the schema unchanged, for a restore into an empty database.
   * @default false
   */
  readonly keepsSchema?: boolean;
  /** Settings of an embedded server that override the default ones. */
  readonly settings?: Readonly<Record<string, string>>;
}

const database = "manifold";

/** Milliseconds within which a server must accept a connection. A slower server counts as unavailable. */
const connectMs = 5_000;
/**
 * Milliseconds within which an embedded server must accept the first connection. Starting takes longer on a busy
 * machine.
 */
const firstConnectMs = 30_000;

/**
 * Settings of connections. If a machine disappears during a transaction, the transaction's locks remain until the
 * server notices the loss: after eleven seconds, or after fifteen if the server has sent data in the meantime.
 */
const settings = `set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3;
  set tcp_user_timeout = 15000; select pg_is_in_recovery() as is_standby`;

/** Sets timeouts on a new connection, and checks its server.
 * @throws {Error} for a standby, whose rows may be outdated and which accepts no changes */
async function prepare(connection: { query(statement: object): Promise<unknown> }): Promise<void> {
  const answers = await connection.query({ text: settings, query_timeout: connectMs });
  const rows = Array.isArray(answers) ? answers.at(-1)?.rows : [];
  if (rows[0]?.is_standby === true)
    throw new Error(
      "DATABASE_URL names a standby, which accepts no changes; name the primary server, or promote the standby",
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
      // The caller that waits for the connection receives the error.
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
 * Removes the statement that Knex puts before the message, and the members in which the server reports values of the
 * row, because logs must contain neither.
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
  throw new Error(`the catalog cannot be opened: ${cause.message}`, { cause });
}

/**
 * Opens the catalog. Starts the embedded PostgreSQL if there is no `databaseUrl`, and brings the schema up to date. The
 * first start takes about a second, and later starts a tenth of that.
 * @throws {Error} that says what to do, and never contains the URL's password
 */
export async function openCatalog({
  databaseUrl,
  dataDir,
  log,
  keepsSchema = false,
  settings: serverSettings = {},
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
      server = await openEmbeddedPostgres({
        dataDir,
        log,
        settings: serverSettings,
        template: () => findTemplateFile(templateKey()),
      });
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
