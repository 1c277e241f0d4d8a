import { PluginError } from "../../../plugins/protocol/index.ts";
import { quote } from "../quote.ts";
import { serversOf, type StoreCluster } from "./storeCluster.ts";
import { draftMark } from "./storedTables.ts";
import type { StoreServer } from "./storeServer.ts";
import { dropping } from "./tableStatements.ts";

/** Age in hours after which no running write can still use a draft, because a call takes less than an hour. */
const draftHours = 2;

/** Creates the database of a store, and drops draft tables that a crash left behind. */
export async function prepareServer(
  server: StoreServer,
  database: string,
  signal: AbortSignal,
): Promise<void> {
  await prepareDatabase(server, { database }, signal);
  for (const draft of await draftsOf(server, database, signal))
    await drop(server, { database, table: draft }, signal);
}

/** Creates the database on each shard. Drops tables that belong to no dataset and are at least two hours old. */
export async function prepareCluster(
  cluster: StoreCluster,
  database: string,
  signal: AbortSignal,
): Promise<void> {
  const { entry, onCluster } = cluster;
  const servers = serversOf(cluster);
  for (const server of servers) await prepareDatabase(server, { database, onCluster }, signal);
  const versions = await entry.rows(
    "select name, comment from system.tables where database = {database:String} and engine = 'Distributed'",
    { database },
    signal,
  );
  const used = new Set(
    versions.map(([id, version]) => `${String(id)}${draftMark}${String(version)}`),
  );
  for (const server of servers)
    for (const table of await draftsOf(server, database, signal))
      if (!used.has(table)) await drop(server, { database, table, onCluster }, signal);
}

async function draftsOf(
  server: StoreServer,
  database: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const statement = `select name from system.tables where database = {database:String}
and position(name, '${draftMark}') > 0 and metadata_modification_time < now() - interval ${draftHours} hour`;
  return (await server.rows(statement, { database }, signal)).map(([name]) => String(name));
}

interface DatabaseName {
  readonly database: string;
  readonly onCluster?: string;
}

async function drop(
  server: StoreServer,
  { database, table, onCluster = "" }: DatabaseName & { readonly table: string },
  signal: AbortSignal,
): Promise<void> {
  const name = `${quote(database)}.${quote(table)}`;
  await server.run(`drop table if exists ${name}${onCluster}`, signal, dropping);
}

async function prepareDatabase(
  server: StoreServer,
  { database, onCluster = "" }: DatabaseName,
  signal: AbortSignal,
): Promise<void> {
  const [row] = await server.rows(
    "select engine from system.databases where name = {database:String}",
    { database },
    signal,
  );
  if (!row) {
    const statement = `create database if not exists ${quote(database)}${onCluster} engine = Atomic`;
    await server.run(statement, signal);
  } else if (row[0] !== "Atomic" && row[0] !== "Replicated")
    throw new PluginError("PLUGIN_INVALID", [
      `the database ${database} has the engine ${String(row[0])}, which cannot exchange tables; name a database with the engine Atomic, or one that does not exist yet`,
    ]);
}
