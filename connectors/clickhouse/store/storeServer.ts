import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type { Credentials, Reach } from "../../../plugins/protocol/index.ts";
import { addressOf } from "../address.ts";
import { openClient } from "../openClient.ts";
import type { Settings } from "../settings.ts";

/** Maximum number of concurrent statements that write to the store. */
const mostConnections = 8;

export interface StatementOptions {
  readonly settings?: Settings;
  /** Id of the statement on the server. While the statement runs, the server rejects another statement with this id. */
  readonly queryId?: string;
}

/**
 * A store's server, with the methods that the writer needs. Every method throws the errors of the server and of the
 * connection.
 */
export interface StoreServer {
  /** Name of the server for error messages. */
  readonly source: string;
  /** Runs a statement without a result. */
  run(statement: string, signal: AbortSignal, options?: StatementOptions): Promise<void>;
  /** Returns the rows of a statement. `values` contains the values of its parameters `{name:Type}`. */
  rows(
    statement: string,
    values: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<readonly (readonly unknown[])[]>;
  /** Sends a body for an `insert … format …` statement. Resolves once the server has stored it. */
  insert(
    statement: string,
    body: readonly Buffer[],
    signal: AbortSignal,
    options: StatementOptions,
  ): Promise<void>;
  close(): Promise<void>;
}

export interface StoreServerOptions {
  readonly writer: Credentials;
  readonly reach: Reach;
  readonly timeoutMs: number;
}

/** Opens the ClickHouse server of a store. The first statement opens the connection. */
export async function openStoreServer(options: StoreServerOptions): Promise<StoreServer> {
  const { writer: credentials, reach, timeoutMs } = options;
  // The store's database may not exist yet.
  const { database: _, ...address } = addressOf(credentials);
  const client = await openClient({
    address,
    credentials,
    reach,
    timeoutMs,
    most: mostConnections,
  });
  // The user's profile may set other values.
  const shared = {
    async_insert: 0,
    max_execution_time: Math.max(1, Math.ceil(timeoutMs / 1000)),
    session_timezone: "UTC",
  } as const;
  const source = `ClickHouse at ${address.host}:${address.port}`;
  return {
    source,
    async run(query, abort_signal, { settings, queryId } = {}) {
      await client.command({
        query,
        abort_signal,
        ...(queryId !== undefined && { query_id: queryId }),
        clickhouse_settings: { ...shared, ...settings },
      });
    },
    async rows(query, query_params, abort_signal) {
      const answer = await client.query({
        query,
        query_params,
        abort_signal,
        format: "JSONCompactEachRow",
        // If a lagging replica counted the rows, the writer would send them twice. Tables without replicas ignore this
        // setting.
        clickhouse_settings: { ...shared, select_sequential_consistency: "1" },
      });
      return answer.json<unknown[]>();
    },
    async insert(query, body, abort_signal, { settings, queryId }) {
      const { stream } = await client.exec({
        query,
        values: Readable.from(body),
        abort_signal,
        ...(queryId !== undefined && { query_id: queryId }),
        clickhouse_settings: { ...shared, wait_end_of_query: 1, ...settings },
      });
      await finished(stream.resume());
    },
    close: () => client.close(),
  };
}
