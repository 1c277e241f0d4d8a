import { PluginError } from "../../../plugins/protocol/index.ts";
import { failureOf } from "../failure.ts";
import { quote } from "../quote.ts";
import type { StoreServer } from "./storeServer.ts";

/** The servers of a clustered store. */
export interface StoreCluster {
  /** Name of the cluster in the servers' `remote_servers`. */
  readonly name: string;
  /** The server that answers queries and switches the versions of datasets. */
  readonly entry: StoreServer;
  /**
   * One server of each shard, in shard order. Empty if the settings name a single server: statements then run `on
   * cluster`, which requires Keeper.
   */
  readonly shards: readonly StoreServer[];
  readonly shardCount: number;
  /** Whether each shard has several servers. */
  readonly isReplicated: boolean;
  /** The clause ` on cluster …`. Empty if statements are sent to each shard separately. */
  readonly onCluster: string;
}

/** Returns the servers to which to send statements about the tables of the shards. */
export function serversOf({ shards, entry }: StoreCluster): readonly StoreServer[] {
  return shards.length > 0 ? shards : [entry];
}

/**
 * Reads the cluster's description from its servers, and checks that the settings name either one server of each shard
 * or a single server.
 * @throws {PluginError} PLUGIN_INVALID naming the missing servers, and errors of the servers
 */
export async function readCluster(
  name: string,
  servers: readonly StoreServer[],
  signal: AbortSignal,
): Promise<StoreCluster> {
  const [entry] = servers;
  if (!entry) throw invalid("MANIFOLD_CLICKHOUSE_URL must name a server");
  const found = await entry.rows(
    "select shard_num, count() from system.clusters where cluster = {name:String} group by shard_num order by shard_num",
    { name },
    signal,
  );
  if (found.length === 0) {
    const known = await entry.rows("select distinct cluster from system.clusters", {}, signal);
    const names = known.map(([each]) => String(each)).toSorted();
    throw invalid(
      `${entry.source} has no cluster ${name}; MANIFOLD_CLICKHOUSE_CLUSTER must be one of its remote_servers: ${names.join(", ")}`,
    );
  }
  const shardCount = found.length;
  const isReplicated = found.some(([, count]) => Number(count) > 1);
  if (servers.length === 1 && (shardCount > 1 || isReplicated))
    return {
      name,
      entry,
      shards: [],
      shardCount,
      isReplicated,
      onCluster: ` on cluster ${quote(name)}`,
    };
  if (isReplicated)
    throw invalid(
      `the cluster ${name} has several servers per shard, so it uses Keeper; MANIFOLD_CLICKHOUSE_URL must name a single address of the cluster`,
    );
  const shards = await inOrder(name, servers, shardCount, signal);
  return { name, entry, shards, shardCount, isReplicated, onCluster: "" };
}

/** Sorts the configured servers by the numbers of their shards. */
async function inOrder(
  name: string,
  servers: readonly StoreServer[],
  shardCount: number,
  signal: AbortSignal,
): Promise<readonly StoreServer[]> {
  const self = "toString(serverUUID()), hostName(), toString(tcpPort())";
  const [entry] = servers;
  const seen = await entry!.rows(
    `select shardNum(), ${self} from cluster({name:String}, system.one)`,
    { name },
    signal,
  );
  const shardOf = new Map(seen.map(([shard, ...rest]) => [rest.join(" "), Number(shard)]));
  const shards = new Map<number, StoreServer>();
  for (const server of servers) {
    const [row = []] = await server.rows(`select ${self}`, {}, signal);
    const shard = shardOf.get(row.join(" "));
    if (shard === undefined)
      throw invalid(
        `${server.source}, which MANIFOLD_CLICKHOUSE_URL names, is not part of the cluster ${name}`,
      );
    if (shards.has(shard))
      throw invalid(`MANIFOLD_CLICKHOUSE_URL must name shard ${shard} of ${name} only once`);
    shards.set(shard, server);
  }
  if (shards.size < shardCount)
    throw invalid(
      `the cluster ${name} has ${shardCount} shards, but MANIFOLD_CLICKHOUSE_URL names ${shards.size} of them; name one server of each shard, comma separated, or a single server if the cluster uses Keeper`,
    );
  return [...shards].toSorted(([one], [other]) => one - other).map(([, server]) => server);
}

function invalid(detail: string): PluginError {
  return new PluginError("PLUGIN_INVALID", [detail]);
}

/** Waits for work on a server. If it fails, the error names the server, because it may not be the entry server. */
export async function naming(server: StoreServer, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (failure) {
    throw failureOf(failure, server.source);
  }
}

/** Waits until all promises are settled, and then throws the first failure, so that no work is still running. */
export async function allOf(works: readonly Promise<void>[]): Promise<void> {
  const ends = await Promise.allSettled(works);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}
