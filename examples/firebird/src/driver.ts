import type { ConnectorOptions, Credentials } from "@manifold-analytics/plugin";
import * as kit from "@manifold-analytics/plugin/sql";
import firebird from "node-firebird";
import { listTables } from "./tables.ts";

type Session = Awaited<ReturnType<typeof openSession>>;

/** The driver's connection, with a method of its socket that the driver's types do not declare. */
type Wire = NonNullable<typeof firebird.connection> & { readonly _socket: { destroy(): void } };

const lost = /^(?:Connection (?:to Firebird server was lost|is closed)|.*ECONNRE|.*EPIPE)/;

/** Creates the driver, with a pool of connections for each set of credentials. */
export function createDriver(options: ConnectorOptions): kit.SqlDriver<Session> {
  const accounts = kit.createAccounts((credentials) => {
    const settings = readSettings(credentials);
    const source = `${settings.host}:${settings.port}`;
    const pool = kit.createPool<Session>({
      source,
      open: (signal) => openSession(settings, options, signal),
      end: (session) => session.close(),
      reset: (session) => session.reset(),
      survives: kit.isRefusal,
      most: 8,
      idleMs: 30_000,
      waitMs: options.timeoutMs / 2,
    });
    return { source, pool };
  });
  return {
    async use(credentials, signal, run) {
      const { source, pool } = accounts.of(credentials);
      try {
        return await pool.use(signal, run, (session) => session.isOpen());
      } catch (thrown) {
        signal.throwIfAborted();
        throw failureOf(thrown, source);
      }
    },
    tables: listTables,
    release: accounts.release,
    failure: (thrown) => failureOf(thrown),
    isLost: (thrown) => thrown instanceof Error && lost.test(thrown.message),
    close: accounts.close,
  };
}

function failureOf(thrown: unknown, source = "Firebird"): kit.PluginError {
  if (thrown instanceof kit.PluginError) return thrown;
  if (thrown instanceof DOMException) return kit.cancelledCall(AbortSignal.abort(thrown), source);
  const failure = thrown instanceof Error ? thrown : new Error(String(thrown));
  const isForbidden = "gdscode" in failure && failure.gdscode === 335544472;
  const code = isForbidden ? "PLUGIN_FORBIDDEN" : "PLUGIN_SOURCE_FAILED";
  return new kit.PluginError(code, [`${source}: ${failure.message}`], { cause: thrown });
}

function isWire(connection: typeof firebird.connection): connection is Wire {
  return connection !== undefined && "destroy" in connection._socket;
}

function readSettings({ host, key: user, token: password, properties }: Credentials) {
  const { port = "3050", scope: database, role } = properties;
  // The driver would try a well-known password if there were none.
  if (
    !host ||
    !/^[^\s/?#@\\]+$/.test(host) ||
    !/^\d{1,5}$/.test(port) ||
    !database ||
    !user ||
    !password
  )
    throw new kit.PluginError("PLUGIN_INVALID", [
      "host must be a server name, port must be a number, and scope must be the path or alias of a database; identifier and token are required",
    ]);
  return { host, port: Number(port), database, user, password, ...(role && { role }) };
}

/**
 * Connects to the address that the operator allows. All statements of a call run in one read-only transaction, and see
 * the same snapshot.
 */
async function openSession(
  settings: ReturnType<typeof readSettings>,
  { reach, timeoutMs }: ConnectorOptions,
  signal: AbortSignal,
) {
  const host = await reach.address(settings.host, settings.port);
  // With `isPool`, the driver does not connect again on its own.
  const pooled = { ...settings, host, encoding: "UTF8", isPool: true } as const;
  const attached = firebird.attachAsync(pooled);
  const { connection: wire } = firebird;
  if (!isWire(wire)) throw new TypeError("node-firebird must return a connection with a socket");
  const limited = (caller: AbortSignal) =>
    AbortSignal.any([caller, AbortSignal.timeout(timeoutMs)]);
  /** Waits for the server's response. Cancels the server's work when the signal is aborted. */
  const until = async <Result>(work: Promise<Result>, ending: AbortSignal): Promise<Result> => {
    const aborted = Promise.withResolvers<never>();
    const abort = () => {
      if (!wire._isClosed) wire.cancelOperation();
      aborted.reject(ending.reason);
    };
    if (ending.aborted) abort();
    ending.addEventListener("abort", abort, { once: true });
    work.catch(() => undefined);
    return Promise.race([work, aborted.promise]).finally(() =>
      ending.removeEventListener("abort", abort),
    );
  };
  const database = await until(attached, limited(signal)).catch((failure: unknown) => {
    wire._socket.destroy();
    throw failure;
  });
  let transaction: Promise<firebird.Transaction> | undefined;
  let isUnhurried = false;
  return {
    async *rows({ text, values }: kit.Statement, caller: AbortSignal) {
      // The driver ends the process if the description of a statement has more than 64 KiB.
      const columnCount = text.slice(0, text.indexOf(" from ")).split(", ").length;
      if (columnCount * 60 + values.length * 32 > 60_000)
        throw new kit.PluginError("PLUGIN_NOT_OFFERED", [`${columnCount} columns at a time`]);
      const ending = isUnhurried ? caller : limited(caller);
      const isolation = firebird.ISOLATION_REPEATABLE_READ;
      const own = await until(
        (transaction ??= database.transactionAsync({ isolation, readOnly: true })),
        ending,
      );
      // Firebird has no select without a table.
      const whole = / from /.test(text) ? text : `${text} from rdb$database`;
      const statement = await until(own.newStatementAsync(whole), ending);
      try {
        await until(statement.executeAsync(own, [...values]), ending);
        for (let isLast = false; !isLast;) {
          const block = await until(statement.fetchAsync(own, 1000), ending);
          isLast = block.fetched;
          if (block.data.length > 0) yield block.data;
        }
      } finally {
        if (!wire._isClosed) statement.drop();
      }
    },
    async unhurried() {
      isUnhurried = true;
    },
    isOpen: () => !wire._isClosed,
    async reset() {
      isUnhurried = false;
      const own = await transaction;
      transaction = undefined;
      await own?.rollbackAsync();
    },
    async close() {
      if (!wire._isClosed)
        await new Promise<void>((resolve) => {
          setTimeout(resolve, 1000).unref();
          wire.detach(resolve);
        });
      wire._socket.destroy();
    },
  };
}
