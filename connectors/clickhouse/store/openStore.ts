import { lookup } from "node:dns/promises";
import { setTimeout } from "node:timers/promises";
import { PluginError, type Plugin, type QueryCall } from "../../../plugins/protocol/index.ts";
import { createSqlPlugin, tableId } from "../../../plugins/sql/index.ts";
import { createDriver } from "../createDriver.ts";
import { failureOf } from "../failure.ts";
import { createClusterTables } from "./clusterTables.ts";
import { createWriter } from "./createWriter.ts";
import { prepareServer, prepareCluster } from "./prepareStore.ts";
import { createServerTables } from "./serverTables.ts";
import { readCluster, type StoreCluster } from "./storeCluster.ts";
import { storeCredentials } from "./storeCredentials.ts";
import { storeDialect } from "./storeDialect.ts";
import { storedTables } from "./storedTables.ts";
import type { StoreOptions } from "./storeOptions.ts";
import { openStoreServer, type StoreServer } from "./storeServer.ts";

/**
 * Opens a ClickHouse server or cluster as the store of a host. Each dataset is a table named by its id. Creates the
 * database if it is missing. Ignores the credentials in calls, because the host decides who may query a dataset.
 * @throws {PluginError} PLUGIN_SOURCE_FAILED if a server does not respond, PLUGIN_FORBIDDEN for wrong users or
 * passwords, PLUGIN_INVALID for servers that do not match the cluster
 */
export async function openStore(options: StoreOptions): Promise<Plugin> {
  const { timeoutMs, sizeBytes, database } = options;
  const { reader, writers } = storeCredentials(options);
  // The operator chose the server, so the egress guard for accounts does not apply.
  const reach = {
    address: async (host: string) => (await lookup(host)).address,
    // For the same reason, plain HTTP to a public address is allowed.
    isPublic: () => false,
    folders: [],
  };
  const servers: StoreServer[] = [];
  for (const writer of writers) servers.push(await openStoreServer({ writer, reach, timeoutMs }));
  const [server] = servers;
  if (!server)
    throw new PluginError("PLUGIN_INVALID", [
      "MANIFOLD_CLICKHOUSE_URL must name the server of the store",
    ]);
  const guard = async <Result>(run: () => Promise<Result>, id?: string): Promise<Result> => {
    try {
      return await run();
    } catch (thrown) {
      throw named(failureOf(thrown, server.source), id);
    }
  };
  const closeServers = async () => {
    for (const each of servers) await each.close();
  };
  let cluster: StoreCluster | undefined;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    cluster = await guard(() => prepare(options, servers, signal));
  } catch (failure) {
    await closeServers();
    throw failure;
  }
  const driver = createDriver({
    reach,
    timeoutMs,
    sizeBytes,
    // This setting keeps queries away from replicas that lag behind.
    ...(cluster?.isReplicated === true && { settings: { select_sequential_consistency: 1 } }),
  });
  const { describe: _, ...reading } = driver;
  const plugin = createSqlPlugin({
    dialect: storeDialect,
    driver: {
      ...reading,
      tables: (session, signal, only) => storedTables(session, signal, database, only?.name),
    },
    sizeBytes,
  });
  const wait = async (ms: number, signal: AbortSignal) => {
    await setTimeout(ms, undefined, { signal, ref: false });
  };
  const tables = cluster
    ? createClusterTables({ cluster, database, timeoutMs, wait })
    : createServerTables({ server, database, timeoutMs });
  const close = async () => {
    await tables.close?.();
    await plugin.close?.();
    await closeServers();
  };
  try {
    await plugin.authorize?.({ credentials: reader, signal: AbortSignal.timeout(timeoutMs) });
  } catch (failure) {
    await close();
    throw failure;
  }
  const { write, writeBatches } = createWriter({ server, tables, database, wait });
  const tableOf = (name: string) => tableId({ schema: database, name });
  const bound = <Call extends QueryCall>(call: Call): Call => {
    const { id, joins, ...query } = call.query;
    const bindJoins = joins && {
      joins: joins.map((each) => ({ ...each, id: tableOf(each.id) })),
    };
    return { ...call, credentials: reader, query: { ...query, id: tableOf(id), ...bindJoins } };
  };
  const { scan, capabilitiesOf } = plugin;
  return {
    capabilities: { ...storeDialect.capabilities, ...(tables.update && { update: true }) },
    datasets: ({ signal }) =>
      guard(async () => {
        const listed = await plugin.datasets({ credentials: reader, signal });
        const counts = await tables.rowCounts?.(signal);
        return listed.map(({ table = "", columns, rows: ownRows }) => {
          const rows = counts ? counts.get(table) : ownRows;
          return { id: table, name: { en: table }, columns, ...(rows !== undefined && { rows }) };
        });
      }),
    query: (call) => guard(() => plugin.query(bound(call)), call.query.id),
    ...(scan && { scan: (call) => guard(() => scan(bound(call)), call.query.id) }),
    ...(capabilitiesOf && {
      capabilitiesOf: ({ signal }) => guard(() => capabilitiesOf({ credentials: reader, signal })),
    }),
    write: ({ write: change, signal }) => guard(() => write(change, signal), change.id),
    ...(writeBatches && {
      writeBatches: ({ write: change, batches, signal }) =>
        guard(() => writeBatches(change, batches, signal), change.id),
    }),
    health: async ({ signal }) => {
      for (const each of servers)
        await each.rows("select 1", {}, signal).catch((thrown: unknown) => {
          throw failureOf(thrown, each.source);
        });
    },
    close,
  };
}

async function prepare(
  { cluster: name, database }: StoreOptions,
  servers: readonly StoreServer[],
  signal: AbortSignal,
): Promise<StoreCluster | undefined> {
  const [server] = servers;
  if (name === undefined) {
    if (server) await prepareServer(server, database, signal);
    return undefined;
  }
  const cluster = await readCluster(name, servers, signal);
  await prepareCluster(cluster, database, signal);
  return cluster;
}

/**
 * Returns a failure that names the dataset by its id instead of its table, because users do not know the names of the
 * tables.
 */
function named(failure: PluginError, id: string | undefined): PluginError {
  const { code, details } = failure;
  if (id === undefined) return failure;
  if (code === "PLUGIN_UNKNOWN_DATASET") return new PluginError(code, [id], { cause: failure });
  if (code === "PLUGIN_UNKNOWN_COLUMN")
    return new PluginError(code, [id, ...details.slice(1)], { cause: failure });
  return failure;
}
