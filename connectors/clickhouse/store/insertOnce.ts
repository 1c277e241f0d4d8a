import { randomUUID } from "node:crypto";
import { PluginError, type NamedBatch } from "../../../plugins/protocol/index.ts";
import { quote } from "../quote.ts";
import type { Settings } from "../settings.ts";
import { endWrite } from "./endedWrites.ts";
import { writeColumn } from "./storedTables.ts";
import type { StoreServer } from "./storeServer.ts";
import { untilCertain, type CertaintyOptions } from "./untilCertain.ts";
import { writeNative } from "./writeNative.ts";

/** Rows as blocks in the format Native, one after another. Each row contains the id of the insert. */
export interface EncodedRows {
  readonly columnIds: readonly string[];
  readonly rowCount: number;
  readonly body: readonly Buffer[];
}

export interface Insert {
  /** Quoted table name with its database. */
  readonly table: string;
  readonly rows: NamedBatch | EncodedRows;
  /** Unique name of this insert. */
  readonly writeId: string;
  /** Prefix of the ids of the insert's statements on the server. */
  readonly name?: string;
  /** Settings of the insert. */
  readonly settings?: Settings;
  /** The clause that applies a statement to every server of a cluster. */
  readonly onCluster?: string;
  /** Whether the write has been sent before, and the outcome is not known. */
  readonly isRepeated?: boolean | undefined;
}

/**
 * Inserts rows exactly once, as one part, so that a query sees all of them or none. Repeats an attempt whose outcome is
 * unknown; the server skips an insert whose token it has already recorded. Because the server records the token before
 * it stores the rows, a broken attempt may leave a token without rows. The rows of the write are therefore counted and,
 * if there are none, sent again with another token. If the caller stops waiting, the statement is cancelled before this
 * function throws.
 * @throws {PluginError} PLUGIN_SOURCE_FAILED if only some of the rows are stored
 */
export async function insertOnce(
  server: StoreServer,
  { table, rows, writeId, isRepeated: wasSent, name = "manifold-", settings, onCluster }: Insert,
  options: CertaintyOptions,
): Promise<void> {
  const rowCount = "body" in rows ? rows.rowCount : rows.batch.rowCount;
  if (rowCount === 0) return;
  const { signal } = options;
  const names = [...rows.columnIds, writeColumn].map(quote).join(", ");
  const statement = `insert into ${table} (${names}) format Native`;
  const body = "body" in rows ? rows.body : writeNative(rows, { name: writeColumn, text: writeId });
  const countOf = async (): Promise<number> => {
    const count = `select count() from ${table} where ${quote(writeColumn)} = {id:String}`;
    const [row] = await server.rows(count, { id: writeId }, signal);
    return Number(row?.[0] ?? 0);
  };
  let tokenCount = 0;
  let queryId = "";
  try {
    await untilCertain(async (isRepeated) => {
      for (;;) {
        // Another host may be inserting rows with this write id.
        queryId = `${name}${randomUUID()}`;
        await server.insert(statement, body, signal, {
          queryId,
          settings: {
            ...settings,
            insert_deduplicate: 1,
            insert_deduplication_token: tokenCount === 0 ? writeId : `${writeId} ${tokenCount}`,
          },
        });
        if (!isRepeated && !wasSent) return;
        const found = await countOf();
        if (found === rowCount) return;
        if (found > 0)
          throw new PluginError("PLUGIN_SOURCE_FAILED", [
            `${server.source} stored only ${found} of the ${rowCount} rows of a write`,
          ]);
        tokenCount++;
      }
    }, options);
  } catch (failure) {
    if (signal.aborted) await endWrite(server, queryId, onCluster);
    throw failure;
  }
}
