import type { ConnectorOptions } from "../../plugins/protocol/index.ts";
import { createAccounts, createPool, isRefusal, type SqlDriver } from "../../plugins/sql/index.ts";
import { cancelRequest } from "./cancelRequest.ts";
import { connectClient, destroy, encryptionOf, tlsModeOf } from "./connectClient.ts";
import { createSession, type PostgresSession } from "./createSession.ts";
import { failureOf, isLost, isStatementFault } from "./failure.ts";
import { roleWarnings } from "./roleWarnings.ts";
import { readSettings, type Settings } from "./settings.ts";
import { describeStatement, listTables } from "./tables.ts";

/** Maximum connections per account. */
const mostConnections = 8;
const idleMs = 30_000;
/**
 * Milliseconds for which the driver waits until the server has closed a connection. After that, it closes the socket
 * itself.
 */
const endMs = 2000;

export type DriverOptions = Pick<ConnectorOptions, "reach" | "timeoutMs">;

/** A session with the account's settings. */
interface AccountSession extends PostgresSession {
  readonly settings: Settings;
}

/** Creates the driver for PostgreSQL, with a connection pool for each set of credentials. */
export function createDriver(options: DriverOptions): SqlDriver<AccountSession> {
  const connect = async (settings: Settings, signal: AbortSignal): Promise<AccountSession> => {
    const client = await connectClient(settings, options, signal);
    const tls = tlsModeOf(settings, options.reach.isPublic(client.host));
    const made = createSession(client, {
      timeoutMs: options.timeoutMs,
      cancel: (until) => cancelRequest(client, { ...settings, tls }, until),
    });
    return { ...made, settings, encryption: encryptionOf(client, settings, options.reach) };
  };
  const accounts = createAccounts((credentials) => {
    const settings = readSettings(credentials);
    const source = `PostgreSQL at ${settings.host}:${settings.port}`;
    const pool = createPool({
      source,
      open: (signal) => connect(settings, signal),
      end: endSession,
      reset: (session) => session.reset(),
      survives: (failure) => isRefusal(failure) || isStatementFault(failure),
      most: mostConnections,
      idleMs,
      // If a call waited longer for a connection, it would have no time left for its statement.
      waitMs: options.timeoutMs / 2,
    });
    return { source, pool };
  });
  return {
    async use(credentials, signal, run) {
      const { pool, source } = accounts.of(credentials);
      try {
        return await pool.use(signal, run, (session) => session.isOpen());
      } catch (thrown) {
        signal.throwIfAborted();
        throw failureOf(thrown, source);
      }
    },
    describe: describeStatement,
    tables: (session, signal, only) => listTables(session, signal, only, session.settings.schema),
    warnings: roleWarnings,
    release: accounts.release,
    failure: (thrown) => failureOf(thrown),
    isLost,
    close: accounts.close,
  };
}

async function endSession({ client, leave }: AccountSession): Promise<void> {
  const timer = setTimeout(() => destroy(client), endMs);
  try {
    // The session rolls back first, because a pooler closes its connection to the server if a client disconnects during
    // a transaction.
    await leave();
    await client.end();
  } catch {
    destroy(client);
  } finally {
    clearTimeout(timer);
  }
}
