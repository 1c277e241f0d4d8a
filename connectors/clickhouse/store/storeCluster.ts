import { PluginError } from "../../../plugins/protocol/index.ts";
import { failureOf } from "../failure.ts";
import { quote } from "../quote.ts";
import type { StoreServer } from "./storeServer.ts";

/** The servers of a store that is a cluster. */
export interface StoreCluster {
  /** Its name in `remote_servers` of the servers. */
  readonly name: string;
  /** Answers questions, and switches versions. */
  readonly entry: StoreServer;
  /**
   * A server of each shard in the order of the shards, where the settings name them. Empty where they name one server
   * alone: statements then run `on cluster`, which needs Keeper at the servers.
   */
  readonly shards: readonly StoreServer[];
  readonly shardCount: number;
  /** Shards have several servers each. */
  readonly isReplicated: boolean;
  /** ` on cluster …`; an empty text where statements are sent to each shard. */
  readonly onCluster: string;
}

/** The servers that statements about the tables of shards are sent to. */
export function serversOf({ shards, entry }: StoreCluster): readonly StoreServer[] {
  return shards.length > 0 ? shards : [entry];
}

/**
 * Reads a cluster from its servers, and checks that the settings name a server of each shard, or one alone.
 * @throws {PluginError} PLUGIN_INVALID that names what is missing; what the servers throw
 */
export async function readCluster(
  name: string,
  servers: readonly StoreServer[],
  signal: AbortSignal,
): Promise<StoreCluster> {
  const [entry] = servers;
  if (!entry) throw invalid("MANIFOLD_CLICKHOUSE_URL names no server");
  const found = await entry.rows(
    "select shard_num, count() from system.clusters where cluster = {name:String} group by shard_num order by shard_num",
    { name },
    signal,
  );
  if (found.length === 0) {
    const known = await entry.rows("select distinct cluster from system.clusters", {}, signal);
    const names = known.map(([each]) => String(each)).toSorted();
    throw invalid(
      `${entry.source} knows no cluster ${name}; MANIFOLD_CLICKHOUSE_CLUSTER must be one of its remote_servers: ${names.join(", ")}`,
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
      `the cluster ${name} has several servers a shard, so it has Keeper: name one address in MANIFOLD_CLICKHOUSE_URL, and statements run on the cluster`,
    );
  const shards = await inOrder(name, servers, shardCount, signal);
  return { name, entry, shards, shardCount, isReplicated, onCluster: "" };
}

/** Puts the servers of the settings in the order of the shards that they are. */
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
        `${server.source} of MANIFOLD_CLICKHOUSE_URL is no server of the cluster ${name}`,
      );
    if (shards.has(shard))
      throw invalid(`MANIFOLD_CLICKHOUSE_URL names the shard ${shard} of ${name} twice`);
    shards.set(shard, server);
  }
  if (shards.size < shardCount)
    throw invalid(
      `the cluster ${name} has ${shardCount} shards, and MANIFOLD_CLICKHOUSE_URL names ${shards.size} of them; name a server of each, with commas, or one alone of a cluster with Keeper`,
    );
  return [...shards].toSorted(([one], [other]) => one - other).map(([, server]) => server);
}

function invalid(detail: string): PluginError {
  return new PluginError("PLUGIN_INVALID", [detail]);
}

/** Names the server of a failure: it may be another one than the entry. */
export async function naming(server: StoreServer, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (failure) {
    throw failureOf(failure, server.source);
  }
}

/** Waits for the end of all, so that nothing is at work when this throws the first failure. */
export async function allOf(works: readonly Promise<void>[]): Promise<void> {
  const ends = await Promise.allSettled(works);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}
