import { PluginError } from "../../plugins/protocol/index.ts";
import {
  createAccounts,
  createPool,
  isRefusal,
  type SqlDriver,
  type SqlSession,
} from "../../plugins/sql/index.ts";
import type { ConnectOptions } from "./connectClient.ts";
import { createSession, type MysqlSession } from "./createSession.ts";
import { failureOf, isLost } from "./failure.ts";
import { roleWarnings } from "./roleWarnings.ts";
import { readSettings } from "./settings.ts";
import { describeStatement, listTables } from "./tables.ts";

/** Connections of one account. */
const mostConnections = 8;
const idleMs = 30_000;

/** Reaches MySQL and MariaDB with a pool for each credentials. */
export function createDriver(options: ConnectOptions): SqlDriver {
  const accounts = createAccounts((credentials) => {
    const settings = readSettings(credentials);
    const pool = createPool({
      source: `${settings.host}:${settings.port}`,
      async open(signal) {
        const session = await createSession(settings, options, signal);
        sessions.set(session, session);
        return session;
      },
      end: async (session: MysqlSession) => session.close(),
      reset: (session) => session.reset(),
      survives: isRefusal,
      most: mostConnections,
      idleMs,
      // A call that waits longer would have no time left for its statement.
      waitMs: options.timeoutMs / 2,
    });
    return { settings, pool };
  });
  const sessions = new WeakMap<SqlSession, MysqlSession>();
  const ownSession = (session: SqlSession): MysqlSession => {
    const own = sessions.get(session);
    if (!own) throw new PluginError("PLUGIN_BUG", ["a session of another driver"]);
    return own;
  };
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
    tables: (session, signal, only) => listTables(ownSession(session), signal, only),
    describe: (session, statement, signal) =>
      describeStatement(ownSession(session), statement, signal),
    warnings: roleWarnings,
    release: accounts.release,
    failure: (thrown) => failureOf(thrown),
    isLost,
    close: accounts.close,
  };
}
