import { randomUUID } from "node:crypto";
import {
  PluginError,
  type NamedBatch,
  type Write,
  type WriteColumn,
  type WriteResult,
} from "../../../plugins/protocol/index.ts";
import { detailsOf } from "../failure.ts";
import { quote } from "../quote.ts";
import { insertOnce } from "./insertOnce.ts";
import { draftMark, storedType, writeColumn } from "./storedTables.ts";
import type { StoreServer } from "./storeServer.ts";
import { alterStatement, createStatement, hasOwnTexts, ownTexts } from "./tableStatements.ts";
import { untilCertain, type CertaintyOptions } from "./untilCertain.ts";

export interface WriterOptions {
  readonly server: StoreServer;
  readonly database: string;
  readonly wait: CertaintyOptions["wait"];
}

/** The columns of a table by id. */
type Stored = ReadonlyMap<string, WriteColumn>;

/**
 * Makes the function that carries out writes. Each is durable and there once when it resolves. One that fails because
 * nobody answered in time may be there: the host makes its records agree.
 * @throws {PluginError} PLUGIN_UNKNOWN_DATASET, PLUGIN_UNKNOWN_COLUMN, PLUGIN_CONFLICT, PLUGIN_INVALID; what the server
 * throws
 */
export function createWriter({ server, database, wait }: WriterOptions) {
  const nameOf = (id: string) => `${quote(database)}.${quote(id)}`;

  const rowsOf = (
    statement: string,
    values: Readonly<Record<string, string>>,
    options: CertaintyOptions,
  ) => untilCertain(() => server.rows(statement, values, options.signal), options);
  const columnsOf = async (id: string, options: CertaintyOptions): Promise<Stored> => {
    const rows = await rowsOf(
      "select name, type from system.columns where database = {database:String} and table = {id:String}",
      { database, id },
      options,
    );
    if (rows.length === 0) throw new PluginError("PLUGIN_UNKNOWN_DATASET", [id]);
    return new Map(
      rows
        .map(([name, type]) => ({ id: String(name), type: storedType(String(type)) }))
        .filter((column) => column.id !== writeColumn)
        .map((column) => [column.id, column]),
    );
  };
  const countOf = async (id: string, options: CertaintyOptions): Promise<number> => {
    const [row] = await rowsOf(`select count() from ${nameOf(id)}`, {}, options);
    return Number(row?.[0] ?? 0);
  };
  const alter = async (
    id: string,
    add: readonly WriteColumn[],
    drop: readonly string[],
    options: CertaintyOptions,
  ): Promise<void> => {
    if (add.length + drop.length === 0) return;
    const statement = alterStatement(nameOf(id), add, drop);
    await untilCertain(() => server.run(statement, options.signal), options);
  };
  const createTable = async (
    id: string,
    columns: readonly WriteColumn[],
    more: { readonly writeId: string; readonly ownTextIds?: ReadonlySet<string> },
    options: CertaintyOptions,
  ): Promise<void> => {
    const table = { table: nameOf(id), columns, ...more };
    await untilCertain(
      (isRepeated) => server.run(createStatement(table, isRepeated), options.signal),
      options,
    ).catch((failure: unknown) => {
      if (detailsOf(failure).type !== "TABLE_ALREADY_EXISTS") throw failure;
      throw new PluginError("PLUGIN_CONFLICT", [`there is a dataset ${id} already`]);
    });
  };
  const dropTable = async (id: string, options: CertaintyOptions): Promise<void> => {
    await untilCertain(
      (isRepeated) =>
        server.run(`drop table ${isRepeated ? "if exists " : ""}${nameOf(id)}`, options.signal, {
          max_table_size_to_drop: 0,
        }),
      options,
    );
  };
  /** Gives texts of their own a type without a dictionary, in a table that has no rows yet. */
  const chooseTypes = async (
    id: string,
    rows: NamedBatch,
    options: CertaintyOptions,
  ): Promise<void> => {
    const ids = idsOfOwnTexts(rows);
    if (ids.size === 0 || (await countOf(id, options)) > 0) return;
    const parts = [...ids].map((each) => `modify column ${quote(each)} ${ownTexts}`);
    const statement = `alter table ${nameOf(id)} ${parts.join(", ")}`;
    await untilCertain(() => server.run(statement, options.signal), options);
  };
  const append = async (
    { id, rows, addColumns = [] }: Extract<Write, { action: "append" }>,
    writeId: string,
    first: CertaintyOptions,
  ): Promise<number> => {
    const stored = await columnsOf(id, first);
    const options = { ...first, hasAnswered: true };
    refuseKnown(id, addColumns, stored);
    const all = new Map([...stored, ...addColumns.map((column) => [column.id, column] as const)]);
    refuseOthers(id, rows, all);
    await alter(id, addColumns, [], options);
    await chooseTypes(id, rows, options);
    await insertOnce(server, { table: nameOf(id), rows, writeId }, options);
    return countOf(id, options);
  };
  const replace = async (
    { id, rows, columns }: Extract<Write, { action: "replace" }>,
    writeId: string,
    first: CertaintyOptions,
  ): Promise<number> => {
    const stored = await columnsOf(id, first);
    const options = { ...first, hasAnswered: true };
    const { signal } = options;
    const kept = columns ?? [...stored.values()];
    refuseOwnName(kept);
    refuseOthers(id, rows, new Map(kept.map((column) => [column.id, column])));
    const draft = `${id}${draftMark}${writeId}`;
    const madeBy = async (): Promise<unknown> => {
      const [row] = await rowsOf(
        "select comment from system.tables where database = {database:String} and name = {id:String}",
        { database, id },
        options,
      );
      return row?.[0];
    };
    try {
      await createTable(draft, kept, { writeId, ownTextIds: idsOfOwnTexts(rows) }, options);
      await insertOnce(server, { table: nameOf(draft), rows, writeId }, options);
      await untilCertain(async (isRepeated) => {
        if (isRepeated && (await madeBy()) === writeId) return;
        await server.run(`exchange tables ${nameOf(id)} and ${nameOf(draft)}`, signal);
      }, options);
    } finally {
      // The rows of before, or those of a replace that failed. The next start drops what is left.
      await server
        .run(`drop table if exists ${nameOf(draft)}`, signal, dropping)
        .catch(() => undefined);
    }
    return rows.batch.rowCount;
  };

  return async (change: Write, signal: AbortSignal): Promise<WriteResult> => {
    const options = { signal, wait };
    const writeId = randomUUID();
    const { id } = change;
    if (id.includes(draftMark))
      throw new PluginError("PLUGIN_INVALID", [`the id of a dataset holds no ${draftMark}: ${id}`]);
    switch (change.action) {
      case "create":
        if (change.temporary)
          throw new PluginError("PLUGIN_NOT_OFFERED", ["temporary datasets in ClickHouse"]);
        refuseOwnName(change.columns);
        await createTable(id, change.columns, { writeId }, options);
        return { rowCount: 0, version: writeId };
      case "append":
        return { rowCount: await append(change, writeId, options), version: writeId };
      case "replace":
        return { rowCount: await replace(change, writeId, options), version: writeId };
      case "alter": {
        const { add = [], drop = [] } = change;
        const stored = await columnsOf(id, options);
        refuseKnown(id, add, stored);
        refuseUnknown(id, drop, stored);
        const next = { ...options, hasAnswered: true };
        await alter(id, add, drop, next);
        return { rowCount: await countOf(id, next), version: writeId };
      }
      case "drop":
        await dropTable(id, options);
        return { rowCount: 0, version: "dropped" };
      default: {
        const { action }: { readonly action?: unknown } = change;
        throw new PluginError("PLUGIN_MALFORMED", [`there is no write ${String(action)}`]);
      }
    }
  };
}

const dropping = { max_table_size_to_drop: 0 };

function idsOfOwnTexts({ columnIds, batch }: NamedBatch): ReadonlySet<string> {
  return new Set(columnIds.filter((_, index) => hasOwnTexts(batch.columns[index]!)));
}

function refuseOwnName(columns: readonly WriteColumn[]): void {
  if (columns.some(({ id }) => id === writeColumn))
    throw new PluginError("PLUGIN_INVALID", [`the store keeps the column ${writeColumn} itself`]);
}

function refuseKnown(id: string, add: readonly WriteColumn[], stored: Stored): void {
  refuseOwnName(add);
  const known = add.find((column) => stored.has(column.id));
  if (known)
    throw new PluginError("PLUGIN_CONFLICT", [
      `the dataset ${id} has a column ${known.id} already`,
    ]);
}

function refuseUnknown(id: string, columnIds: readonly string[], stored: Stored): void {
  const unknown = columnIds.find((columnId) => !stored.has(columnId));
  if (unknown !== undefined) throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [id, unknown]);
}

function refuseOthers(id: string, { columnIds, batch }: NamedBatch, stored: Stored): void {
  refuseUnknown(id, columnIds, stored);
  columnIds.forEach((columnId, index) => {
    const { type } = stored.get(columnId)!;
    const given = batch.columns[index]?.type;
    if (given !== type)
      throw new PluginError("PLUGIN_INVALID", [
        `the values of the column ${columnId} are ${type}, and the rows have ${String(given)}`,
      ]);
  });
}
