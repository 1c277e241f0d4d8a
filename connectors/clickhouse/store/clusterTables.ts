import { createHash } from "node:crypto";
import { PluginError, type WriteColumn } from "../../../plugins/protocol/index.ts";
import { detailsOf } from "../failure.ts";
import { quote } from "../quote.ts";
import { typesOfRows } from "./columnTypes.ts";
import { endedWrites, endWrite } from "./endedWrites.ts";
import { insertOnce, type Insert } from "./insertOnce.ts";
import { madeBy } from "./serverTables.ts";
import { slicesOf } from "./slicesOf.ts";
import { allOf, naming, serversOf, type StoreCluster } from "./storeCluster.ts";
import { draftMark } from "./storedTables.ts";
import type { StoreServer } from "./storeServer.ts";
import type { StoreTables } from "./storeTables.ts";
import {
  alterDistributedStatement,
  alterStatement,
  createStatement,
  distributedStatement,
  dropping,
  modifyStatement,
} from "./tableStatements.ts";
import { untilCertain, type CertaintyOptions } from "./untilCertain.ts";
import { writesOf } from "./writesOf.ts";

export interface ClusterTablesOptions {
  readonly cluster: StoreCluster;
  readonly database: string;
  /** Deadline in milliseconds for a write, and for a query to start on every shard. */
  readonly timeoutMs: number;
  readonly wait: CertaintyOptions["wait"];
}

/** Deadline in milliseconds for dropping the temporary tables of a write. */
const dropMs = 10_000;
/** Minimum number of rows per shard for a replacement. Smaller replacements go to a single shard. */
const leastSlice = 10_000;

/**
 * Stores datasets on the shards of a cluster. The rows of a version are in one table per shard, named `<id>~<write>`.
 * On the entry server, the table `<id>` reads from all tables of that version. A replacement fills new tables, and then
 * exchanges the table of the entry server. Running queries still read the old tables, which are dropped after the query
 * deadline. A push goes to one shard, because rows on two shards cannot become visible at the same time.
 */
export function createClusterTables(given: ClusterTablesOptions): StoreTables {
  const { cluster, database, timeoutMs, wait } = given;
  const { entry, onCluster, shards, shardCount, isReplicated } = cluster;
  const servers = serversOf(cluster);
  const closing = new AbortController();
  const nameOf = (id: string) => `${quote(database)}.${quote(id)}`;
  const localOf = (id: string, writeId: string) => `${id}${draftMark}${writeId}`;

  /** Runs a statement on each shard. Throws the first failure in shard order. */
  const onShards = (
    run: (server: StoreServer, isRepeated: boolean) => Promise<void>,
    options: CertaintyOptions,
  ) =>
    allOf(
      servers.map((server) =>
        // A shard other than the server that responded may be unavailable.
        naming(
          server,
          untilCertain((isRepeated) => run(server, isRepeated), {
            ...options,
            hasAnswered: server === entry && options.hasAnswered === true,
          }),
        ),
      ),
    );
  const onEntry = (run: (isRepeated: boolean) => Promise<void>, options: CertaintyOptions) =>
    untilCertain(run, options);
  const versionOf = async (id: string, options: CertaintyOptions): Promise<string> => {
    const version = await madeBy(entry, { database, id }, options);
    if (version === undefined) throw new PluginError("PLUGIN_UNKNOWN_DATASET", [id]);
    return version;
  };
  const dropLocal = (local: string, signal: AbortSignal) =>
    allOf(
      servers.map((server) =>
        server.run(`drop table if exists ${nameOf(local)}${onCluster}`, signal, dropping),
      ),
    );
  const createLocal = (table: NewTable, local: string, options: CertaintyOptions): Promise<void> =>
    onShards(
      (server) =>
        server.run(
          // The name of the table is unique to this write, so if the table already exists, an earlier attempt created
          // it.
          createStatement({ ...table, table: nameOf(local), onCluster, isReplicated }, true),
          options.signal,
        ),
      options,
    );
  const createWhole = (table: NewTable, name: string, local: string, options: CertaintyOptions) =>
    onEntry(
      (isRepeated) =>
        entry.run(
          distributedStatement(
            { ...table, table: nameOf(name), cluster: cluster.name, database, local, onCluster },
            isRepeated,
          ),
          options.signal,
        ),
      options,
    );
  /**
   * Drops tables once the time limit of a call has passed, because no query then uses the tables any more. If dropping
   * fails, the host drops the tables at its next start.
   */
  const dropLater = (local: string) => {
    void wait(timeoutMs, closing.signal)
      .then(() => dropLocal(local, closing.signal))
      .catch(() => undefined);
  };
  const insertInto = async (
    shard: number,
    write: {
      readonly id: string;
      readonly whole: string;
      readonly local: string;
    } & Pick<Insert, "rows" | "writeId" | "isRepeated">,
    options: CertaintyOptions,
  ) => {
    const { id, whole, local, ...insert } = write;
    const name = writesOf(database, id);
    const server = shards[shard];
    if (server)
      return naming(
        server,
        insertOnce(
          server,
          { ...insert, name, table: nameOf(local) },
          { ...options, hasAnswered: server === entry },
        ),
      );
    const settings = insertSettings(shard, isReplicated);
    return insertOnce(
      entry,
      { ...insert, name, table: nameOf(whole), settings, onCluster },
      options,
    );
  };
  return {
    async create({ id, ...table }, options) {
      const local = localOf(id, table.writeId);
      await createLocal(table, local, options);
      await createWhole(table, id, local, options).catch(async (failure: unknown) => {
        // If dropping the tables fails, the host drops them at its next start.
        await dropLocal(local, AbortSignal.timeout(dropMs)).catch(() => undefined);
        if (detailsOf(failure).type !== "TABLE_ALREADY_EXISTS") throw failure;
        throw new PluginError("PLUGIN_CONFLICT", [`the dataset ${id} already exists`]);
      });
    },
    async alter(id, { add, drop }, options) {
      const { signal } = options;
      const local = nameOf(localOf(id, await versionOf(id, options)));
      // A query must never name a column that a shard does not have.
      const changeWhole = (added: readonly WriteColumn[], dropped: readonly string[]) =>
        added.length + dropped.length > 0 &&
        onEntry(
          () => entry.run(alterDistributedStatement(nameOf(id), added, dropped, onCluster), signal),
          options,
        );
      await changeWhole([], drop);
      await onShards(
        (server) => server.run(alterStatement(local, add, drop, onCluster), signal),
        options,
      );
      await changeWhole(add, []);
    },
    async widen(id, types, options) {
      const { signal } = options;
      const local = nameOf(localOf(id, await versionOf(id, options)));
      const change = (server: StoreServer, table: string) =>
        server.run(modifyStatement(table, types, onCluster), signal);
      await onShards((server) => change(server, local), options);
      await onEntry(() => change(entry, nameOf(id)), options);
    },
    async insert({ id, ...write }, options) {
      const local = localOf(id, await versionOf(id, options));
      const shard = shardOf(write.writeId, shardCount);
      await insertInto(shard, { ...write, id, whole: id, local }, options);
    },
    async replace({ id, columns, rows, writeId }, options) {
      const { signal } = options;
      const before = localOf(id, await versionOf(id, options));
      const local = localOf(id, writeId);
      const whole = `${local}${draftMark}`;
      const table = { columns, writeId, types: typesOfRows(rows) };
      const queryId = `${writesOf(database, id)}${writeId}-switch`;
      let isSwitched = false;
      try {
        await createLocal(table, local, options);
        await createWhole(table, whole, local, options);
        const slices = slicesOf(rows, shardCount, leastSlice);
        const first = shardOf(writeId, shardCount);
        await allOf(
          slices.map((slice, index) =>
            insertInto(
              (first + index) % shardCount,
              { id, whole, local, rows: slice, writeId: `${writeId}-${index}` },
              options,
            ),
          ),
        );
        await onEntry(async (isRepeated) => {
          if (isRepeated && (await madeBy(entry, { database, id }, options)) === writeId) return;
          const statement = `exchange tables ${nameOf(id)} and ${nameOf(whole)}${onCluster}`;
          await entry.run(statement, signal, { queryId });
        }, options);
        isSwitched = true;
      } catch (failure) {
        if (signal.aborted) await endWrite(entry, queryId, onCluster);
        throw failure;
      } finally {
        // If dropping the old tables fails, the host drops them at its next start, because it knows the dataset's
        // version.
        await entry
          .run(
            `drop table if exists ${nameOf(whole)}${onCluster}`,
            AbortSignal.timeout(dropMs),
            dropping,
          )
          .catch(() => undefined);
        if (isSwitched) dropLater(before);
      }
    },
    async drop(id, options) {
      const local = localOf(id, await versionOf(id, options));
      await onEntry(
        (isRepeated) =>
          entry.run(
            `drop table ${isRepeated ? "if exists " : ""}${nameOf(id)}${onCluster}`,
            options.signal,
            dropping,
          ),
        options,
      );
      await onShards(
        (server) =>
          server.run(`drop table if exists ${nameOf(local)}${onCluster}`, options.signal, dropping),
        options,
      );
    },
    async ended(id, options) {
      const processes =
        onCluster === ""
          ? "system.processes"
          : `clusterAllReplicas(${quote(cluster.name)}, system.processes)`;
      const writes = { name: writesOf(database, id), processes, onCluster, timeoutMs };
      await allOf(servers.map((server) => naming(server, endedWrites(server, writes, options))));
    },
    async rowCounts(signal) {
      const values = { database, mark: draftMark };
      const versions = await entry.rows(
        "select name, comment from system.tables where database = {database:String} and position(name, {mark:String}) = 0",
        values,
        signal,
      );
      const tables =
        onCluster === "" ? "system.tables" : `cluster(${quote(cluster.name)}, system.tables)`;
      const counts = new Map<string, number>();
      for (const server of servers)
        for (const [local, rowCount] of await server.rows(
          `select name, sum(total_rows) from ${tables} where database = {database:String}
           and position(name, {mark:String}) > 0 group by name`,
          values,
          signal,
        ))
          counts.set(String(local), (counts.get(String(local)) ?? 0) + Number(rowCount));
      return new Map(
        versions.map(([id, version]) => [
          String(id),
          counts.get(localOf(String(id), String(version))) ?? 0,
        ]),
      );
    },
    async close() {
      closing.abort();
    },
  };
}

/** Returns the shard that stores the rows of a write. If a write is repeated, its rows go to the same shard. */
function shardOf(writeId: string, shardCount: number): number {
  return createHash("sha256").update(writeId).digest().readUInt32LE() % shardCount;
}

type NewTable = Pick<Parameters<typeof createStatement>[0], "columns" | "writeId" | "types">;

/**
 * Settings of an insert through the entry server's table: the rows go to one shard, and the insert is acknowledged once
 * they are stored.
 */
function insertSettings(
  shard: number,
  isReplicated: boolean,
): Readonly<Record<string, string | number>> {
  return {
    insert_shard_id: shard + 1,
    distributed_foreground_insert: 1,
    ...(isReplicated && { insert_quorum: "auto", insert_quorum_parallel: 0 }),
  };
}
