import { randomUUID } from "node:crypto";
import {
  PluginError,
  type Batch,
  type BatchedWrite,
  type NamedBatch,
  type Write,
  type WriteColumn,
  type WriteResult,
} from "../../../plugins/protocol/index.ts";
import { quote } from "../quote.ts";
import {
  columnTypeOf,
  dataTypeOf,
  nativeType,
  typesOfRows,
  widened,
  type ColumnType,
} from "./columnTypes.ts";
import { draftMark, updateMark, writeColumn } from "./storedTables.ts";
import type { StoreServer } from "./storeServer.ts";
import type { NewRows, StoreTables } from "./storeTables.ts";
import { untilCertain, type CertaintyOptions } from "./untilCertain.ts";

export interface WriterOptions {
  /** The server that answers queries. */
  readonly server: StoreServer;
  readonly tables: StoreTables;
  readonly database: string;
  readonly wait: CertaintyOptions["wait"];
}

interface StoredColumn extends WriteColumn {
  readonly native: ColumnType;
}

/** Columns of a table by id. */
type Stored = ReadonlyMap<string, StoredColumn>;
type Written = ReadonlyMap<string, WriteColumn>;

/**
 * Creates the functions that perform writes. When a write resolves, its rows are durable and stored exactly once. If a
 * write fails because no server responded in time, its rows may still be stored. The host then reconciles its records
 * with an `alter`, which starts only after all earlier writes have ended.
 * @throws {PluginError} PLUGIN_UNKNOWN_DATASET, PLUGIN_UNKNOWN_COLUMN, PLUGIN_CONFLICT, PLUGIN_INVALID, and errors of
 * the server
 */
export function createWriter({ server, tables, database, wait }: WriterOptions) {
  /**
   * Datasets that this writer has created but not yet filled. Until their first rows are stored, no other host writes
   * to them.
   */
  const unfilled = new Set<string>();
  const columnsOf = async (id: string, options: CertaintyOptions): Promise<Stored> => {
    const statement =
      "select name, type from system.columns where database = {database:String} and table = {id:String}";
    const rows = await untilCertain(
      () => server.rows(statement, { database, id }, options.signal),
      options,
    );
    if (rows.length === 0) throw new PluginError("PLUGIN_UNKNOWN_DATASET", [id]);
    return new Map(
      rows
        .filter(([name]) => name !== writeColumn)
        .map(([name, type]) => {
          const native = columnTypeOf(String(type));
          return [String(name), { id: String(name), type: dataTypeOf(native), native }];
        }),
    );
  };
  const countOf = async (id: string, options: CertaintyOptions): Promise<number> => {
    const statement = `select count() from ${quote(database)}.${quote(id)}`;
    const [row] = await untilCertain(() => server.rows(statement, {}, options.signal), options);
    return Number(row?.[0] ?? 0);
  };
  /** Widens the types of columns, so that rows fit. In an empty table, columns get the narrowest types. */
  const fitTypes = async (
    { id, rows, columns, writeId }: Omit<NewRows, "columns"> & { readonly columns: Stored },
    options: CertaintyOptions,
  ): Promise<void> => {
    const isFirst = unfilled.delete(id);
    if (rows.batch.rowCount === 0) return;
    const types = typesOfRows(rows);
    if (isFirst) {
      // ClickHouse cannot convert a nullable column to a column without nulls.
      await tables.drop(id, options);
      await tables.create({ id, columns: [...columns.values()], writeId, types }, options);
      return;
    }
    const changes = [...columns].flatMap(([columnId, { native }]) => {
      const fit = widened(native, types.get(columnId) ?? { ...native, isNullable: true });
      return fit === native ? [] : [[columnId, fit] as const];
    });
    if (changes.length > 0) await tables.widen(id, new Map(changes), options);
  };
  const append = async (
    { id, rows, addColumns = [], isRepeated = false }: Extract<Write, { action: "append" }>,
    writeId: string,
    options: CertaintyOptions,
  ): Promise<number> => {
    const stored = await columnsOf(id, options);
    refuseKnown(id, addColumns, stored);
    const all = new Map<string, WriteColumn>([
      ...stored,
      ...addColumns.map((column) => [column.id, column] as const),
    ]);
    refuseOthers(id, rows, all);
    const again = { ...options, hasAnswered: true };
    if (addColumns.length > 0) await tables.alter(id, { add: addColumns, drop: [] }, again);
    const found = addColumns.length > 0 ? await columnsOf(id, again) : stored;
    await fitTypes({ id, rows, columns: found, writeId }, again);
    await tables.insert({ id, rows, writeId, isRepeated }, again);
    return countOf(id, again);
  };
  const replace = async (
    { id, rows, columns }: Extract<Write, { action: "replace" }>,
    writeId: string,
    options: CertaintyOptions,
  ): Promise<number> => {
    const stored = await columnsOf(id, options);
    const kept: readonly WriteColumn[] = columns ?? [...stored.values()];
    refuseOwnName(kept);
    refuseOthers(id, rows, new Map(kept.map((column) => [column.id, column])));
    await tables.replace({ id, rows, columns: kept, writeId }, { ...options, hasAnswered: true });
    return rows.batch.rowCount;
  };

  const update = async (
    { id, rows, key, missing, deletes = false }: Extract<Write, { action: "update" }>,
    writeId: string,
    options: CertaintyOptions,
  ): Promise<Omit<WriteResult, "version">> => {
    if (!tables.update) throw new PluginError("PLUGIN_NOT_OFFERED", ["updates on a cluster"]);
    const stored = await columnsOf(id, options);
    refuseOthers(id, rows, stored);
    for (const column of key)
      if (!rows.columnIds.includes(column))
        throw new PluginError("PLUGIN_INVALID", [`the rows lack the key column ${column}`]);
    const again = { ...options, hasAnswered: true };
    // The draft must contain the rows of every earlier write.
    await tables.ended(id, again);
    if (!deletes) await fitTypes({ id, rows, columns: stored, writeId }, again);
    const fitted = await columnsOf(id, again);
    const change = {
      id,
      rows,
      key,
      writeId,
      columns: new Map([...fitted].map(([column, { native }]) => [column, nativeType(native)])),
      missing: missing ?? (deletes ? "ignore" : "insert"),
      deletes,
    };
    const result = await tables.update(change, again);
    return { ...result, rowCount: await countOf(id, again) };
  };

  const { fill } = tables;
  const writeBatches = async (
    { action, id, columnIds, columns }: BatchedWrite,
    batches: AsyncIterable<Batch>,
    signal: AbortSignal,
  ): Promise<WriteResult> => {
    if (!fill) throw new PluginError("PLUGIN_NOT_OFFERED", ["batches of rows on a cluster"]);
    refuseDraft(id);
    const options = { signal, wait };
    const stored = await columnsOf(id, options);
    const kept: readonly WriteColumn[] = columns ?? [...stored.values()];
    refuseOwnName(kept);
    const written = new Map(kept.map((column) => [column.id, column]));
    refuseUnknown(id, columnIds, written);
    const again = { ...options, hasAnswered: true };
    const isEmpty = unfilled.delete(id);
    // The draft must contain the rows of every earlier write.
    if (action === "append" && !isEmpty) await tables.ended(id, again);
    const writeId = randomUUID();
    const rowCount = await fill(
      {
        id,
        columns: kept,
        columnIds,
        batches: checked(id, columnIds, written, batches),
        writeId,
        ...(action === "append" &&
          !isEmpty && { types: new Map([...stored].map(([each, { native }]) => [each, native])) }),
      },
      again,
    );
    return { rowCount, version: writeId };
  };

  const write = async (change: Write, signal: AbortSignal): Promise<WriteResult> => {
    const options = { signal, wait };
    const writeId = randomUUID();
    const { id } = change;
    refuseDraft(id);
    switch (change.action) {
      case "create":
        if (change.temporary)
          throw new PluginError("PLUGIN_NOT_OFFERED", ["temporary datasets in ClickHouse"]);
        refuseOwnName(change.columns);
        await tables.create({ id, columns: change.columns, writeId }, options);
        if (change.rowsFollow) unfilled.add(id);
        return { rowCount: 0, version: writeId };
      case "append":
        return {
          rowCount: await append(change, change.writeId ?? writeId, options),
          version: writeId,
        };
      case "replace":
        return { rowCount: await replace(change, writeId, options), version: writeId };
      case "update":
        return {
          ...(await update(change, `${updateMark}${writeId}`, options)),
          version: writeId,
        };
      case "alter": {
        const { add = [], drop = [] } = change;
        const stored = await columnsOf(id, options);
        refuseKnown(id, add, stored);
        refuseUnknown(id, drop, stored);
        const again = { ...options, hasAnswered: true };
        await tables.ended(id, again);
        if (add.length + drop.length > 0) await tables.alter(id, { add, drop }, again);
        return { rowCount: await countOf(id, again), version: writeId };
      }
      case "drop":
        unfilled.delete(id);
        await tables.drop(id, options);
        return { rowCount: 0, version: "dropped" };
      default: {
        const { action }: { readonly action?: unknown } = change;
        throw new PluginError("PLUGIN_MALFORMED", [`unknown write ${String(action)}`]);
      }
    }
  };
  return { write, ...(fill && { writeBatches }) };
}

/** Passes batches on whose columns have the types of the dataset's columns. */
async function* checked(
  id: string,
  columnIds: readonly string[],
  written: Written,
  batches: AsyncIterable<Batch>,
): AsyncGenerator<Batch> {
  for await (const batch of batches) {
    refuseOthers(id, { columnIds, batch }, written);
    yield batch;
  }
}

function refuseDraft(id: string): void {
  if (id.includes(draftMark))
    throw new PluginError("PLUGIN_INVALID", [
      `the id of a dataset must not contain ${draftMark}: ${id}`,
    ]);
}

function refuseOwnName(columns: readonly WriteColumn[]): void {
  if (columns.some(({ id }) => id === writeColumn))
    throw new PluginError("PLUGIN_INVALID", [
      `the name ${writeColumn} is reserved for a column of the store`,
    ]);
}

function refuseKnown(id: string, add: readonly WriteColumn[], stored: Written): void {
  refuseOwnName(add);
  const known = add.find((column) => stored.has(column.id));
  if (known)
    throw new PluginError("PLUGIN_CONFLICT", [
      `the dataset ${id} already has a column ${known.id}`,
    ]);
}

function refuseUnknown(id: string, columnIds: readonly string[], stored: Written): void {
  const unknown = columnIds.find((columnId) => !stored.has(columnId));
  if (unknown !== undefined) throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [id, unknown]);
}

function refuseOthers(id: string, { columnIds, batch }: NamedBatch, stored: Written): void {
  refuseUnknown(id, columnIds, stored);
  columnIds.forEach((columnId, index) => {
    const { type } = stored.get(columnId)!;
    const given = batch.columns[index]?.type;
    if (given !== type)
      throw new PluginError("PLUGIN_INVALID", [
        `the column ${columnId} has the type ${type}, but the rows have ${String(given)}`,
      ]);
  });
}
