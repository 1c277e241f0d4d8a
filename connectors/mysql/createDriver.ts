import { createAccounts, createPool, isRefusal, type SqlDriver } from "../../plugins/sql/index.ts";
import type { ConnectOptions } from "./connectClient.ts";
import { createSession, type MysqlSession } from "./createSession.ts";
import { failureOf, isLost } from "./failure.ts";
import { roleWarnings } from "./roleWarnings.ts";
import { readSettings } from "./settings.ts";
import { describeStatement, listTables } from "./tables.ts";

/** Maximum connections per account. */
const mostConnections = 8;
const idleMs = 30_000;

/** Creates the driver for MySQL and MariaDB, with a connection pool for each set of credentials. */
export function createDriver(options: ConnectOptions): SqlDriver<MysqlSession> {
  const accounts = createAccounts((credentials) => {
    const settings = readSettings(credentials);
    const pool = createPool({
      source: `${settings.host}:${settings.port}`,
      open: (signal) => createSession(settings, options, signal),
      end: async (session) => session.close(),
      reset: (session) => session.reset(),
      survives: isRefusal,
      most: mostConnections,
      idleMs,
      // If a call waited longer for a connection, it would have no time left for its statement.
      waitMs: options.timeoutMs / 2,
    });
    return { settings, pool };
  });
  return {
    async use(credentials, signal, run) {
      const { settings, pool } = accounts.of(credentials);
      try {
        return await pool.use(signal, run, (session) => session.isOpen());
      } catch (thrown) {
        signal.throwIfAborted();
        throw failureOf(thrown, `${settings.host}:${settings.port}`);
      }
    },
    tables: listTables,
    describe: describeStatement,
    warnings: roleWarnings,
    release: accounts.release,
    failure: (thrown) => failureOf(thrown),
    isLost,
    close: accounts.close,
  };
}
