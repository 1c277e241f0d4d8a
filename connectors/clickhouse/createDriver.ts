import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { ClickHouseClient } from "@clickhouse/client";
import type { ConnectorOptions, Credentials, Encryption } from "../../plugins/protocol/index.ts";
import {
  allRows,
  createAccounts,
  createPool,
  type Pool,
  type SqlDriver,
  type SqlSession,
  type Statement,
} from "../../plugins/sql/index.ts";
import { addressOf, type Address } from "./address.ts";
import { BrokenAnswer, failureOf, isLost } from "./failure.ts";
import { openClient } from "./openClient.ts";
import { fixedSettings, readProfile, withinProfile } from "./profile.ts";
import { readRows } from "./readRows.ts";
import { roleWarnings } from "./roleWarnings.ts";
import { settingsOf, withoutRefused, type Settings } from "./settings.ts";
import { listTables } from "./tables.ts";
import { readingOf, typeOf } from "./types.ts";

/** Maximum concurrent connections per account. */
const mostSessions = 10;
const idleMs = 30_000;

/** State shared by all connections of an account. */
interface Account {
  readonly address: Address;
  readonly pool: Pool<ClickhouseSession>;
  /** Name of the database in error messages. */
  readonly source: string;
  /** Settings that the user is allowed to set. */
  settings: Settings;
  /** Settings whose value in the user's profile differs from the connector's value. */
  fixed: readonly string[];
}

interface ClickhouseSession extends SqlSession {
  readonly account: Account;
  /** Resets the settings that `unhurried` and `expose` changed. */
  loosen(): void;
  close(): Promise<void>;
}

/**
 * Creates the driver for ClickHouse over HTTP. `settings` apply to every statement. Each session has one connection and
 * runs one statement at a time.
 */
export function createDriver(
  options: ConnectorOptions & { readonly settings?: Settings },
): SqlDriver<ClickhouseSession> {
  const { reach, timeoutMs, sizeBytes } = options;
  const wanted = { ...settingsOf(), ...options.settings };

  const openSession = async (
    account: Account,
    credentials: Credentials,
    signal: AbortSignal,
  ): Promise<ClickhouseSession> => {
    const { parseError } = await import("@clickhouse/client");
    const { address } = account;
    const client = await openClient({ address, credentials, reach, timeoutMs, most: 1 });
    const parse = (text: string): Error => {
      const failure = parseError(text);
      return failure.constructor === Error ? new BrokenAnswer() : failure;
    };
    let isHurried = true;
    let isExposed = false;
    let mayChange = false;
    let clockZone = "UTC";
    const runStatement = (statement: Statement, until: AbortSignal): Promise<Readable> => {
      const { max_execution_time: _, ...unhurried } = account.settings;
      const current = isHurried ? account.settings : unhurried;
      // With `readonly = 1`, a statement can neither change settings nor use table functions that access other systems.
      const settings =
        isExposed && mayChange && current["readonly"] === 2 ? { ...current, readonly: 1 } : current;
      return exec(client, statement, { settings, signal: until });
    };
    const runAllowed = async (statement: Statement, until: AbortSignal): Promise<Readable> => {
      for (;;)
        try {
          return await runStatement(statement, until);
        } catch (failure) {
          until.throwIfAborted();
          const fewer = withoutRefused(account.settings, failure);
          if (!fewer) throw failure;
          account.settings = fewer;
        }
    };
    const session: ClickhouseSession = {
      account,
      encryption: encryptionOf(address),
      get clockZone() {
        return clockZone;
      },
      async *rows(statement, until) {
        until.throwIfAborted();
        const body = await runAllowed(statement, until);
        const end = () => void body.destroy();
        until.addEventListener("abort", end, { once: true });
        try {
          for await (const rows of readRows(body, isHurried ? sizeBytes : Infinity, parse))
            yield rows;
        } catch (failure) {
          throw until.aborted ? until.reason : failure;
        } finally {
          until.removeEventListener("abort", end);
          // Closing the connection before the last row makes the server cancel the statement.
          body.destroy();
        }
      },
      async unhurried() {
        isHurried = false;
      },
      expose() {
        isExposed = true;
      },
      loosen() {
        [isHurried, isExposed] = [true, false];
      },
      close: () => client.close(),
    };
    try {
      // Detects wrong credentials, and settings that the user may not set.
      const profile = await readProfile(session, signal);
      mayChange = profile.readonly === 0;
      const { readonly: _, max_execution_time: __, ...kept } = account.settings;
      if (Object.keys(kept).length > 0) account.settings = withinProfile(kept, timeoutMs, profile);
      // Detects settings that a constraint forbids, which would otherwise fail the first query.
      isExposed = true;
      const [clock] = await allRows(session, { text: "select serverTimezone()" }, signal);
      isExposed = false;
      clockZone = String(clock?.[0] ?? "UTC");
      const all = withinProfile(wanted, timeoutMs, {
        readonly: 2,
        deadlineS: 0,
        mostDeadlineS: Infinity,
      });
      const refused = Object.entries(all).filter(
        ([name]) => !Object.hasOwn(account.settings, name),
      );
      account.fixed = await fixedSettings(session, Object.fromEntries(refused), signal);
    } catch (failure) {
      await client.close();
      throw failure;
    }
    return session;
  };
  const accounts = createAccounts((credentials) => {
    const address = addressOf(credentials);
    const source = `ClickHouse at ${address.host}:${address.port}`;
    const account: Account = {
      address,
      source,
      settings: wanted,
      fixed: [],
      pool: createPool<ClickhouseSession>({
        source,
        open: (signal) => openSession(account, credentials, signal),
        end: (session) => session.close(),
        most: mostSessions,
        idleMs,
        // If a call waited longer for a connection, it would have no time left for its statement.
        waitMs: timeoutMs / 2,
      }),
    };
    return account;
  });
  return {
    async use(credentials, signal, run) {
      const { pool, source } = accounts.of(credentials);
      try {
        return await pool.use(signal, async (session) => {
          try {
            return await run(session);
          } finally {
            session.loosen();
          }
        });
      } catch (thrown) {
        signal.throwIfAborted();
        throw failureOf(thrown, source);
      }
    },
    tables: (session, signal, only) =>
      listTables(session, signal, { database: session.account.address.database, only }),
    async describe(session, statement, signal, values) {
      const columns = [];
      const text = `describe table (${statement}\n)`;
      for await (const rows of session.rows({ text, values }, signal))
        for (const [name, nativeType] of rows) {
          const reading = readingOf(String(nativeType));
          if (reading)
            columns.push({
              name: String(name),
              nativeType: String(nativeType),
              ...typeOf(reading),
            });
        }
      return columns;
    },
    async warnings(session, signal) {
      const { fixed } = session.account;
      const rights = await roleWarnings(session, signal);
      if (fixed.length === 0) return rights;
      return [
        ...rights,
        `the user's settings profile does not allow changing ${fixed.join(", ")}: the server's values apply and may change ` +
          "deadlines and results; let the user change these settings, for example with readonly = 2",
      ];
    },
    release: accounts.release,
    failure: (thrown) => failureOf(thrown),
    isLost,
    close: accounts.close,
  };
}

function encryptionOf({ tls }: Address): Encryption {
  if (tls === "disable") return "clear";
  return tls.startsWith("verify") ? "verified" : "encrypted";
}

interface ExecOptions {
  readonly settings: Settings;
  readonly signal: AbortSignal;
}

/** Maximum size of a form field in bytes. The server rejects fields of 128 KiB or more. */
const mostFieldBytes = 120_000;

/**
 * Sends a statement and its parameters as a multipart form, which has room for many long parameters. The client library
 * sends forms only if its own parsers read the rows. These parsers are slow and cannot stop at a size limit. A
 * statement that is too long for a form field, such as one with all clock changes of a time zone, is sent as the body,
 * with its parameters in the URL.
 */
async function exec(
  client: ClickHouseClient,
  { text, values }: Statement,
  { settings, signal }: ExecOptions,
): Promise<Readable> {
  const query = `${text} format JSONCompactEachRow`;
  const parameters = values.map((value, index) => [`param_p${index + 1}`, String(value)] as const);
  const common = { query_id: randomUUID(), abort_signal: signal };
  if (Buffer.byteLength(query) > mostFieldBytes) {
    const clickhouse_settings = { ...settings, ...Object.fromEntries(parameters) };
    return (await client.exec({ ...common, query, clickhouse_settings })).stream;
  }
  const boundary = `manifold-${randomUUID()}`;
  const parts: (readonly [name: string, value: string])[] = [["query", query], ...parameters];
  const body = parts.map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const { stream } = await client.exec({
    query: "",
    values: Readable.from([Buffer.from(`${body.join("")}--${boundary}--\r\n`)]),
    http_headers: { "Content-Type": `multipart/form-data; boundary=${boundary}` },
    clickhouse_settings: settings,
    ...common,
  });
  return stream;
}
