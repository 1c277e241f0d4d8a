import type { ConnectorOptions, Credentials } from "../../plugins/protocol/index.ts";
import { createPool, credentialsKey, type Pool, type SqlDriver } from "../../plugins/sql/index.ts";
import { connectClient, destroy } from "./connectClient.ts";
import { createSession, type PostgresSession } from "./createSession.ts";
import { failureOf, isLost } from "./failure.ts";
import { readSettings, type Settings } from "./settings.ts";
import { describeStatement, listTables } from "./tables.ts";

/** Connections of one account. */
const mostConnections = 8;
const idleMs = 30_000;
/** How long `end` may take before the socket is closed. */
const endMs = 2000;

export type DriverOptions = Pick<ConnectorOptions, "reach" | "timeoutMs">;

/** Reaches PostgreSQL with a pool for each credentials. */
export function createDriver(options: DriverOptions): SqlDriver {
  const pools = new Map<string, Pool<PostgresSession>>();
  const settingsOf = new WeakMap<object, Settings>();
  const sessions = new WeakMap<object, PostgresSession>();
  const connect = async (settings: Settings, signal: AbortSignal): Promise<PostgresSession> => {
    const client = await connectClient(settings, options, signal);
    const session = createSession(client, async (processId) => {
      const other = await connectClient(settings, options, AbortSignal.timeout(options.timeoutMs));
      try {
        await other.query("select pg_cancel_backend($1)", [processId]);
      } finally {
        await endClient(other);
      }
    });
    settingsOf.set(session, settings);
    sessions.set(session, session);
    return session;
  };
  const poolOf = (credentials: Credentials): Pool<PostgresSession> => {
    const key = credentialsKey(credentials);
    let pool = pools.get(key);
    if (!pool) {
      const settings = readSettings(credentials);
      pool = createPool({
        open: (signal) => connect(settings, signal),
        end: ({ client }) => endClient(client),
        most: mostConnections,
        idleMs,
        waitMs: options.timeoutMs,
      });
      pools.set(key, pool);
    }
    return pool;
  };
  return {
    use: (credentials, signal, run) =>
      poolOf(credentials).use(
        signal,
        async (session) => {
          const result = await run(session);
          await session.reset();
          return result;
        },
        (session) => session.isOpen(),
      ),
    async describe(session, text, signal, values) {
      const own = sessions.get(session);
      if (!own) throw new TypeError("the session is of another driver");
      return describeStatement(own, { text, values }, signal);
    },
    tables: (session, signal, only) =>
      listTables(session, signal, only, settingsOf.get(session)?.schema),
    async release(credentials) {
      const key = credentialsKey(credentials);
      const pool = pools.get(key);
      pools.delete(key);
      await pool?.close();
    },
    failure: failureOf,
    isLost,
    async close() {
      const open = [...pools.values()];
      pools.clear();
      await Promise.all(open.map((pool) => pool.close()));
    },
  };
}

async function endClient(client: PostgresSession["client"]): Promise<void> {
  const timer = setTimeout(() => destroy(client), endMs);
  try {
    await client.end();
  } catch {
    destroy(client);
  } finally {
    clearTimeout(timer);
  }
}
