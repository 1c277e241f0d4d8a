import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type { Credentials, Reach } from "../../../plugins/protocol/index.ts";
import { addressOf } from "../address.ts";
import { openClient } from "../openClient.ts";
import type { Settings } from "../settings.ts";

/** Maximum concurrent statements that change the store. */
const mostConnections = 8;

export interface StatementOptions {
  readonly settings?: Settings;
  /** Id of the statement on the server, which rejects a second statement with the same id while the first runs. */
  readonly queryId?: string;
}

/** A store's server, as its writer uses it. Every method throws the errors of the server and the connection. */
export interface StoreServer {
  /** Name of the server for messages. */
  readonly source: string;
  /** Runs a statement without a result. */
  run(statement: string, signal: AbortSignal, options?: StatementOptions): Promise<void>;
  /** Returns the rows of a statement. `values` are those of its parameters `{name:Type}`. */
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

/** Opens the server of a store. It connects on the first statement. */
export async function openStoreServer(options: StoreServerOptions): Promise<StoreServer> {
  const { writer: credentials, reach, timeoutMs } = options;
  // Its database may not exist yet.
  const { database: _, ...address } = addressOf(credentials);
  const client = await openClient({
    address,
    credentials,
    reach,
    timeoutMs,
    most: mostConnections,
  });
  // A profile may have other values.
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
        // If a lagging replica counted the rows, they would be sent twice. Tables without replicas ignore this setting.
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
