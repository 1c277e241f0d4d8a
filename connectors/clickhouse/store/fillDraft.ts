import {
  PluginError,
  type Batch,
  type NamedBatch,
  type WriteColumn,
} from "../../../plugins/protocol/index.ts";
import { textParameter } from "../parameters.ts";
import { typesOfRows, widened, widestType, type ColumnType } from "./columnTypes.ts";
import { insertOnce, type EncodedRows } from "./insertOnce.ts";
import { writeColumn } from "./storedTables.ts";
import type { StoreServer } from "./storeServer.ts";
import { createStatement, dropping, modifyStatement } from "./tableStatements.ts";
import { untilCertain, type CertaintyOptions } from "./untilCertain.ts";
import { writeNative } from "./writeNative.ts";

/** Rows that arrive in batches, and the draft table that receives them. */
export interface DraftFilling {
  /** Quoted names of the dataset's table and of the draft, with their database. */
  readonly table: string;
  readonly draft: string;
  /** The columns of the draft, and their types, which are absent if the first rows determine them. */
  readonly columns: readonly WriteColumn[];
  readonly types: ReadonlyMap<string, ColumnType> | undefined;
  readonly columnIds: readonly string[];
  readonly batches: AsyncIterable<Batch>;
  readonly writeId: string;
  /** The comment of the draft. */
  readonly comment: string;
  /** Prefix of the ids of statements that write to the dataset. */
  readonly name: string;
}

/** Bytes after which collected blocks are inserted. The server makes one part of them. */
const insertBytes = 2 ** 25;

/**
 * Fills a draft from batches. With `types`, the draft first shares the stored parts of the table (hard links). Nobody
 * sees the draft before it is exchanged for the table. While the server stores some batches, the next batches are read.
 * At most about 70 MiB of blocks are in memory. Returns the number of rows of the draft. The caller drops the draft.
 * @throws {PluginError} PLUGIN_CONFLICT if another write has changed the table meanwhile, and errors of the batches and
 * of the server
 */
export async function fillDraft(
  server: StoreServer,
  filling: DraftFilling,
  options: CertaintyOptions,
): Promise<number> {
  const { table, draft, columns, columnIds, batches, writeId, comment, name } = filling;
  const { signal } = options;
  const run = (statement: string, more = {}) => server.run(statement, signal, more);
  const countOf = async (of: string): Promise<number> => {
    const read = () => server.rows(`select count() from ${of}`, {}, signal);
    return Number((await untilCertain(read, options))[0]?.[0] ?? 0);
  };
  const create = (types: ReadonlyMap<string, ColumnType>) =>
    untilCertain(
      (isRepeated) =>
        run(createStatement({ table: draft, columns, types, writeId: comment }, isRepeated)),
      options,
    );
  let types = filling.types && new Map(filling.types);
  let storedCount: number | undefined;
  if (types) {
    storedCount = await countOf(table);
    await untilCertain(async () => {
      // A repeated attempt starts again, because an earlier one may have added parts.
      await run(`drop table if exists ${draft} sync`, dropping);
      await run(`create table ${draft} as ${table} comment '${textParameter(comment)}'`);
      await run(`alter table ${draft} attach partition tuple() from ${table}`);
    }, options);
    if ((await countOf(draft)) !== storedCount) throw changed();
  }
  let inserting: Promise<void> = Promise.resolve();
  let insertCount = 0;
  let rowCount = 0;
  let collected: EncodedRows = { columnIds, rowCount: 0, body: [] };
  let sizeBytes = 0;
  const flush = async (): Promise<void> => {
    await inserting;
    if (collected.rowCount === 0) return;
    const insert = { table: draft, rows: collected, writeId: `${writeId}-${insertCount++}`, name };
    inserting = insertOnce(server, insert, options);
    // The next flush reports the failure.
    inserting.catch(() => undefined);
    collected = { columnIds, rowCount: 0, body: [] };
    sizeBytes = 0;
  };
  /** Creates the draft with the types of the first rows, or widens its columns so that rows fit. */
  const fit = async (rows: NamedBatch): Promise<void> => {
    const needed = typesOfRows(rows);
    if (!types) {
      await create(needed);
      types = new Map(columns.map(({ id, type }) => [id, needed.get(id) ?? widestType(type)]));
      return;
    }
    const changes = new Map<string, ColumnType>();
    for (const [id, type] of types) {
      const fitting = widened(type, needed.get(id) ?? { ...type, isNullable: true });
      if (fitting !== type) changes.set(id, fitting);
    }
    if (changes.size === 0) return;
    await inserting;
    await untilCertain(() => run(modifyStatement(draft, changes)), options);
    for (const [id, type] of changes) types.set(id, type);
  };
  try {
    for await (const batch of batches) {
      if (batch.rowCount === 0) continue;
      const rows = { columnIds, batch };
      await fit(rows);
      const mark = { name: writeColumn, text: `${writeId}-${insertCount}` };
      const block = writeNative(rows, mark);
      collected = {
        columnIds,
        rowCount: collected.rowCount + batch.rowCount,
        body: [...collected.body, ...block],
      };
      rowCount += batch.rowCount;
      for (const part of block) sizeBytes += part.length;
      if (sizeBytes >= insertBytes) await flush();
    }
    if (!types) await create(new Map());
    await flush();
  } finally {
    // Without rows in flight, the caller can drop the draft.
    await inserting.catch(() => undefined);
  }
  await inserting;
  if (storedCount === undefined) return rowCount;
  if ((await countOf(table)) !== storedCount) throw changed();
  return storedCount + rowCount;
}

function changed(): PluginError {
  return new PluginError("PLUGIN_CONFLICT", [
    "another write has changed the rows of the dataset meanwhile; send the file again",
  ]);
}
