import { openStore } from "../../connectors/clickhouse/index.ts";
import type { Plugin } from "../../plugins/protocol/index.ts";
import { randomBytes } from "node:crypto";
import { runStatement } from "./clickhouseDatabase.ts";
import { openClickhousePair, type OpenClickhouseServer } from "./clickhouseServer.ts";
import { clickhouseUrl } from "./clickhouseStore.ts";

/** A store on a real ClickHouse cluster of two shards. */
export interface ClickhouseClusterStore {
  readonly plugin: Plugin;
  /** The servers, in shard order. */
  readonly servers: readonly OpenClickhouseServer[];
  readonly database: string;
  /** Host settings that select this store. */
  readonly settings: {
    readonly store: "clickhouse";
    readonly clickhouseUrl: string;
    readonly clickhouseDatabase: string;
    readonly clickhouseCluster: string;
  };
  /** Runs a statement in the store's database on each shard. Resolves to the shards' outputs. */
  onEach(statement: string): Promise<readonly string[]>;
  /** Closes the plugin and stops the servers that this store started. */
  close(): Promise<void>;
}

export interface ClusterStoreOptions {
  /** Two existing servers of a cluster, which the caller closes. By default the store starts two servers. */
  readonly servers?: readonly OpenClickhouseServer[];
  /** The time limit of a call in milliseconds. */
  readonly timeoutMs?: number;
}

/** Opens a store on a cluster of two shards. */
export async function openClickhouseClusterStore(
  options: ClusterStoreOptions = {},
): Promise<ClickhouseClusterStore> {
  const servers = options.servers ?? (await openClickhousePair());
  const database = `test_${randomBytes(6).toString("hex")}`;
  const close = async () => {
    if (!options.servers) await Promise.all(servers.map((server) => server.close()));
  };
  const url = servers.map((server) => clickhouseUrl(server, server.admin)).join(",");
  try {
    const plugin = await openStore({
      url,
      database,
      cluster: "pair",
      timeoutMs: options.timeoutMs ?? 60_000,
      sizeBytes: 2 ** 28,
    });
    return {
      plugin,
      servers,
      database,
      settings: {
        store: "clickhouse",
        clickhouseUrl: url,
        clickhouseDatabase: database,
        clickhouseCluster: "pair",
      },
      onEach: (statement) =>
        Promise.all(servers.map((server) => runStatement(server, statement, database))),
      async close() {
        await plugin.close?.();
        await close();
      },
    };
  } catch (failure) {
    await close();
    throw failure;
  }
}
