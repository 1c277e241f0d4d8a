import { runStatement } from "../../support/clickhouseDatabase.ts";
import {
  openClickhousePair,
  openClickhouseServer,
  type OpenClickhouseServer,
} from "../../support/clickhouseServer.ts";
import { clickhouseUrl } from "../../support/clickhouseStore.ts";

/** ClickHouse servers, and functions to use the servers as a host does or as a specialist does. */
export interface ScaleServers {
  readonly servers: readonly OpenClickhouseServer[];
  readonly database: string;
  /** Environment variables of a host that has this store. */
  readonly environment: Readonly<Record<string, string>>;
  /** Settings of the store's plugin. */
  readonly settings: { readonly url: string; readonly database: string; readonly cluster?: string };
  /** Runs a statement on each server. */
  onEach(statement: string): Promise<readonly string[]>;
  /**
   * Copies the rows of a dataset to a new table `own`, which has a specialist's types and order. `names` are in the
   * order of `types`.
   */
  copy(datasetId: string, types: string, names: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

const database = "scale";

/** Starts a single server, or a cluster of two servers with one shard each. */
export async function openServers(isPair: boolean): Promise<ScaleServers> {
  const servers = isPair ? await openClickhousePair() : [await openClickhouseServer()];
  const url = servers.map((server) => clickhouseUrl(server, server.admin)).join(",");
  const onEach = (statement: string) =>
    Promise.all(servers.map((server) => runStatement(server, statement, database)));
  for (const server of servers) await runStatement(server, `create database ${database}`);
  return {
    servers,
    database,
    environment: {
      MANIFOLD_STORE: "clickhouse",
      MANIFOLD_CLICKHOUSE_URL: url,
      MANIFOLD_CLICKHOUSE_DATABASE: database,
      ...(isPair && { MANIFOLD_CLICKHOUSE_CLUSTER: "pair" }),
    },
    settings: { url, database, ...(isPair && { cluster: "pair" }) },
    onEach,
    async copy(datasetId, types, names) {
      const local = isPair ? "own_rows" : "own";
      await onEach(`create table ${local} (${types}) engine = MergeTree order by dt`);
      const quoted = names.map((name) => `\`${name}\``).join(", ");
      for (const server of servers) {
        const tables = await runStatement(
          server,
          `select name from system.tables where database = '${database}' and name like '${datasetId}%' and engine = 'MergeTree' format TSVRaw`,
          database,
        );
        await runStatement(
          server,
          `insert into ${local} select ${quoted} from \`${tables.trim()}\``,
          database,
        );
      }
      if (!isPair) return;
      await onEach(
        `create table own (${types}) engine = Distributed(pair, '${database}', ${local}, rand())`,
      );
    },
    async close() {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}
