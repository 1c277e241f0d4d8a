import {
  EngineError,
  openStore,
  type EngineErrorCode,
  type NamedBatch,
  type Store,
  type TableInfo,
} from "../../engine/index.ts";
import {
  PluginError,
  type Batch,
  type Dataset,
  type DecodedRows,
  type EncodedRows,
  type Plugin,
  type Tenant,
  type Write,
} from "../protocol/index.ts";
import { toColumn, toDefinition, toEngineRows, toEngineType, toProtocolBatch } from "./batches.ts";
import { toDecodedColumn } from "./decodedColumns.ts";
import { capabilities } from "./capabilities.ts";
import { toPluginError } from "./errors.ts";
import { toPlan } from "./toPlan.ts";

/** The folder of a store, its number of threads, and its memory. */
export interface StrataOptions {
  /** Folder that contains the files of the store. */
  readonly dir: string;
  /** Number of worker threads. */
  readonly workers: number;
  /** Memory budget for column data, in bytes. */
  readonly memoryBytes: number;
  /**
   * Whether to start the threads, and run some plans, so that the first query runs compiled code. A promise delays the
   * plans until it is fulfilled.
   * @default true
   */
  readonly warmUp?: boolean | Promise<unknown>;
}

/** Rows per batch of a scan. */
const scannedRows = 131_072;

/**
 * Opens the columnar store as a plugin. The ids of datasets and columns are their names in the store. Temporary
 * datasets are not listed. Credentials are ignored, so every caller may read and write all datasets.
 * @throws {PluginError} PLUGIN_SOURCE_FAILED if the folder is in use or damaged
 */
export async function openStrata(options: StrataOptions): Promise<Plugin> {
  const store = await guard(() => openStore(options));
  const { warmUp = true } = options;
  if (warmUp !== false) {
    // The threads start now, so that the first query does not wait for them. If a thread cannot start, its first task
    // fails.
    store.health().catch(() => undefined);
    Promise.resolve(warmUp)
      .then(() => store.warm())
      .catch(() => undefined);
  }
  return {
    capabilities,
    sizeOf(id) {
      const table = store.table(id);
      const textCounts = store.textCounts(id);
      return table && textCounts && { rowCount: table.rowCount, textCounts };
    },
    datasets: () =>
      guard(async () =>
        store
          .tables()
          .filter(({ temporary }) => !temporary)
          .map(toDataset),
      ),
    query: ({ query, signal, tenant }) =>
      guard(async () => {
        const tableOf = async (id: string) => store.table(id) ?? raise(await missing(store, id));
        const table = await tableOf(query.id);
        const joined = await Promise.all((query.joins ?? []).map(({ id }) => tableOf(id)));
        const answer = await store.query(toPlan(query, table, joined), {
          signal,
          ...(tenant && { tenant }),
        });
        return toProtocolBatch(answer);
      }),
    scan: ({ query, signal, tenant, take }) =>
      guard(async () => {
        const table = store.table(query.id) ?? raise(await missing(store, query.id));
        const { version } = table;
        // Unordered plain rows arrive in the order in which they were written.
        for (let offset = 0, isMore = true; isMore; offset += scannedRows) {
          const page = { ...query, limit: { by: scannedRows, offset } };
          const answer = await store.query(toPlan(page, table), {
            signal,
            ...(tenant && { tenant }),
          });
          if (store.table(query.id)?.version !== version)
            throw new PluginError("PLUGIN_CONFLICT", [
              `the dataset ${query.id} changed while it was read; read it again`,
            ]);
          isMore = answer.rowCount === scannedRows;
          if (answer.rowCount > 0) await take(toProtocolBatch(answer));
        }
      }),
    write: ({ write: change }) =>
      guard(async () => {
        const info = await write(store, change);
        return { rowCount: info?.rowCount ?? 0, version: String(info?.version ?? "dropped") };
      }),
    writeBatches: ({ write: change, batches }) =>
      guard(async () => {
        const { action, id, columnIds, columns } = change;
        const table = store.table(id) ?? raise(await missing(store, id));
        const definitions = columns?.map(toDefinition);
        const known = definitions ?? table.columns;
        const filled = columnIds.map(
          (name) =>
            known.find((column) => column.name === name) ??
            raise(new PluginError("PLUGIN_UNKNOWN_COLUMN", [id, name])),
        );
        const info = await store.fillBatches({
          table: id,
          columns: filled,
          batches: engineBatches(columnIds, batches),
          mode: action,
          ...(definitions && { definitions }),
        });
        return { rowCount: info.rowCount, version: String(info.version) };
      }),
    decode: ({ rows, tenant }) => guard(() => decode(store, rows, tenant)),
    snapshot: () => guard(() => store.snapshot()),
    figures() {
      const { workers, ...stats } = store.stats();
      return {
        threads: workers,
        queued_queries: stats.queuedQueries,
        running_queries: stats.runningQueries,
        memory_bytes: stats.memoryBytes,
        arena_bytes: stats.arenaBytes,
        tables: stats.tableCount,
        rows: stats.rowCount,
      };
    },
    health: () => guard(() => store.health()),
    close: () => guard(() => store.close()),
  };
}

async function* engineBatches(
  columnIds: readonly string[],
  batches: AsyncIterable<Batch>,
): AsyncGenerator<NamedBatch> {
  for await (const batch of batches) yield toEngineRows({ columnIds, batch });
}

async function write(store: Store, change: Write): Promise<TableInfo | undefined> {
  switch (change.action) {
    case "create":
      return store.create({
        name: change.id,
        columns: change.columns.map(toDefinition),
        temporary: change.temporary ?? false,
      });
    case "append":
      return store.append({
        table: change.id,
        rows: toEngineRows(change.rows),
        ...(change.addColumns && { addColumns: change.addColumns.map(toDefinition) }),
      });
    case "replace":
      return store.replace({
        table: change.id,
        rows: toEngineRows(change.rows),
        ...(change.columns && { columns: change.columns.map(toDefinition) }),
      });
    case "alter":
      return store.alter({
        table: change.id,
        ...(change.add && { add: change.add.map(toDefinition) }),
        ...(change.drop && { drop: change.drop }),
      });
    case "drop":
      await store.drop({ table: change.id });
      return undefined;
    default: {
      const { action }: { readonly action?: unknown } = change;
      throw new PluginError("PLUGIN_MALFORMED", [`the write action ${String(action)} is unknown`]);
    }
  }
}

/**
 * Rows that a thread refuses are left to the host, which reports errors in its own words. So are rows for which no
 * thread is free.
 */
const leftToHost: ReadonlySet<EngineErrorCode> = new Set([
  "INGEST_CELL",
  "INGEST_MALFORMED",
  "STORE_BUSY",
]);

async function decode(
  store: Store,
  { types, ...rows }: EncodedRows,
  tenant: Tenant | undefined,
): Promise<DecodedRows | undefined> {
  try {
    const decoded = await store.decode({
      ...rows,
      ...(types && { types: types.map(toEngineType) }),
      ...(tenant && { tenant }),
    });
    return { ...decoded, columns: decoded.columns.map(toDecodedColumn) };
  } catch (error) {
    if (error instanceof EngineError && leftToHost.has(error.code)) return undefined;
    throw error;
  }
}

/**
 * Queries a table that the store does not list, in order to fail with the error that shows whether the table is damaged
 * or unknown.
 */
async function missing(store: Store, id: string): Promise<unknown> {
  try {
    await store.query({
      table: id,
      outputs: [{ kind: "aggregate", function: "rows" }],
      grouped: true,
    });
    return new PluginError("PLUGIN_CONFLICT", [
      `the dataset ${id} has only just been created; try again`,
    ]);
  } catch (error) {
    return error;
  }
}

function raise(error: unknown): never {
  throw error;
}

function toDataset({ name, columns, rowCount }: TableInfo): Dataset {
  return { id: name, name: { en: name }, columns: columns.map(toColumn), rows: rowCount };
}

async function guard<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw toPluginError(error);
  }
}
