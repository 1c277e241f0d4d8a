import { PluginError, type NamedBatch } from "../../../plugins/protocol/index.ts";
import { quote } from "../quote.ts";
import { writeColumn } from "./storedTables.ts";
import type { StoreServer } from "./storeServer.ts";
import { untilCertain, type CertaintyOptions } from "./untilCertain.ts";
import { writeNative } from "./writeNative.ts";

export interface Insert {
  /** The quoted name of the table, with its database. */
  readonly table: string;
  readonly rows: NamedBatch;
  /** Names this write; no other has the name. */
  readonly writeId: string;
}

/**
 * Inserts rows once, as one part: a query sees all of them or none. An attempt whose end nobody knows is made again;
 * the server skips a token that it has seen. It notes the token before the rows are there, so after a broken attempt
 * the rows of the write are counted, and sent under another token when there are none.
 * @throws {PluginError} PLUGIN_SOURCE_FAILED when only some of the rows are there
 */
export async function insertOnce(
  server: StoreServer,
  { table, rows, writeId }: Insert,
  options: CertaintyOptions,
): Promise<void> {
  const { rowCount } = rows.batch;
  if (rowCount === 0) return;
  const { signal } = options;
  const names = [...rows.columnIds, writeColumn].map(quote).join(", ");
  const statement = `insert into ${table} (${names}) format Native`;
  const body = writeNative(rows, { name: writeColumn, text: writeId });
  const countOf = async (): Promise<number> => {
    const count = `select count() from ${table} where ${quote(writeColumn)} = {id:String}`;
    const [row] = await server.rows(count, { id: writeId }, signal);
    return Number(row?.[0] ?? 0);
  };
  let tokenCount = 0;
  await untilCertain(async (isRepeated) => {
    for (;;) {
      await server.insert(statement, body, signal, {
        insert_deduplicate: 1,
        insert_deduplication_token: tokenCount === 0 ? writeId : `${writeId} ${tokenCount}`,
      });
      if (!isRepeated) return;
      const found = await countOf();
      if (found === rowCount) return;
      if (found > 0)
        throw new PluginError("PLUGIN_SOURCE_FAILED", [
          `${server.source} holds ${found} of the ${rowCount} rows of a write`,
        ]);
      tokenCount++;
    }
  }, options);
}
