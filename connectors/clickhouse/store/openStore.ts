import { lookup } from "node:dns/promises";
import { setTimeout } from "node:timers/promises";
import { PluginError, type Plugin, type QueryCall } from "../../../plugins/protocol/index.ts";
import { createSqlPlugin, tableId } from "../../../plugins/sql/index.ts";
import { createDriver } from "../createDriver.ts";
import { failureOf } from "../failure.ts";
import { quote } from "../quote.ts";
import { createWriter } from "./createWriter.ts";
import { storeCredentials } from "./storeCredentials.ts";
import { storeDialect } from "./storeDialect.ts";
import { draftMark, storedTables } from "./storedTables.ts";
import type { StoreOptions } from "./storeOptions.ts";
import { openStoreServer, type StoreServer } from "./storeServer.ts";

/** Hours after which a draft belongs to no write: a call ends within one. */
const draftHours = 2;

/**
 * Opens a ClickHouse server as the store of a host: one table a dataset, named by its id. Makes the database when there
 * is none. Ignores credentials: the host decides who may ask what.
 * @throws {PluginError} PLUGIN_SOURCE_FAILED when the server does not answer, PLUGIN_FORBIDDEN for its users
 */
export async function openStore(options: StoreOptions): Promise<Plugin> {
  const { timeoutMs, sizeBytes, database } = options;
  const { reader, writer } = storeCredentials(options);
  // The operator names the server, so the guard against the requests of accounts is not asked.
  const reach = {
    address: async (host: string) => (await lookup(host)).address,
    isPublic: () => true,
    folders: [],
  };
  const driver = createDriver({ reach, timeoutMs, sizeBytes });
  const { describe: _, ...reading } = driver;
  const asked = createSqlPlugin({
    dialect: storeDialect,
    driver: {
      ...reading,
      tables: (session, signal, only) => storedTables(session, signal, database, only?.name),
    },
    sizeBytes,
  });
  const server = await openStoreServer({ writer, reach, timeoutMs });
  const guard = async <Result>(run: () => Promise<Result>, id?: string): Promise<Result> => {
    try {
      return await run();
    } catch (thrown) {
      throw named(failureOf(thrown, server.source), id);
    }
  };
  const close = async () => {
    await asked.close?.();
    await server.close();
  };
  const ping = (signal: AbortSignal) =>
    guard(async () => {
      await server.rows("select 1", {}, signal);
    });
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    await guard(() => prepare(server, database, signal));
    await asked.authorize?.({ credentials: reader, signal });
  } catch (failure) {
    await close();
    throw failure;
  }
  const write = createWriter({
    server,
    database,
    wait: async (ms, signal) => {
      await setTimeout(ms, undefined, { signal });
    },
  });
  const bound = <Asked extends QueryCall>(call: Asked): Asked => ({
    ...call,
    credentials: reader,
    query: { ...call.query, id: tableId({ schema: database, name: call.query.id }) },
  });
  const { scan, capabilitiesOf } = asked;
  return {
    capabilities: storeDialect.capabilities,
    datasets: ({ signal }) =>
      guard(async () => {
        const tables = await asked.datasets({ credentials: reader, signal });
        return tables.map(({ table = "", columns, rows }) => ({
          id: table,
          name: { en: table },
          columns,
          ...(rows !== undefined && { rows }),
        }));
      }),
    query: (call) => guard(() => asked.query(bound(call)), call.query.id),
    ...(scan && { scan: (call) => guard(() => scan(bound(call)), call.query.id) }),
    ...(capabilitiesOf && {
      capabilitiesOf: ({ signal }) => guard(() => capabilitiesOf({ credentials: reader, signal })),
    }),
    write: ({ write: change, signal }) => guard(() => write(change, signal), change.id),
    health: ({ signal }) => ping(signal),
    close,
  };
}

/** Makes the database of a store, and drops the drafts of writes that a crash ended. */
async function prepare(
  { run, rows }: StoreServer,
  database: string,
  signal: AbortSignal,
): Promise<void> {
  const values = { database };
  const [row] = await rows(
    "select engine from system.databases where name = {database:String}",
    values,
    signal,
  );
  if (!row) await run(`create database if not exists ${quote(database)} engine = Atomic`, signal);
  else if (row[0] !== "Atomic" && row[0] !== "Replicated")
    throw new PluginError("PLUGIN_INVALID", [
      `the database ${database} has the engine ${String(row[0])}, which cannot exchange tables; name one of the engine Atomic, or one that does not exist yet`,
    ]);
  const drafts = await rows(
    `select name from system.tables where database = {database:String} and position(name, '${draftMark}') > 0
     and metadata_modification_time < now() - interval ${draftHours} hour`,
    values,
    signal,
  );
  for (const [name] of drafts)
    await run(`drop table if exists ${quote(database)}.${quote(String(name))}`, signal, {
      max_table_size_to_drop: 0,
    });
}

/** Names the dataset as the host does: the database of its table is nobody's business. */
function named(failure: PluginError, id: string | undefined): PluginError {
  const { code, details } = failure;
  if (id === undefined) return failure;
  if (code === "PLUGIN_UNKNOWN_DATASET") return new PluginError(code, [id], { cause: failure });
  if (code === "PLUGIN_UNKNOWN_COLUMN")
    return new PluginError(code, [id, ...details.slice(1)], { cause: failure });
  return failure;
}
