import type {
  AppendRows,
  Capabilities,
  Dataset,
  Plugin,
  QueryCall,
  ScanCall,
} from "../protocol/index.ts";
import { readTable, refuseMore } from "./readTable.ts";
import type { RowDriver, RowTable } from "./rowDriver.ts";

/** The driver of a plugin over plain rows, its capabilities, and the limits of its answers. */
export interface RowPluginOptions {
  /** The driver that connects to the source and reads its rows. */
  readonly driver: RowDriver;
  /** The capabilities of the plugin. Only `projection`, `filters` and `limit` are possible. */
  readonly capabilities: Capabilities;
  /** Maximum size of an answer in memory, in bytes. Larger answers fail with PLUGIN_INVALID. */
  readonly sizeBytes: number;
}

/** Size of a scan's batches in bytes. */
const scannedBytes = 8 * 2 ** 20;

/**
 * Creates a plugin over a source that returns plain rows. Cells are converted to the column types that the caller
 * knows. If a cell cannot be converted, the query fails with PLUGIN_UNREADABLE, and the message names the place of the
 * cell. A single plugin serves the credentials of all accounts.
 */
export function createRowPlugin({ driver, capabilities, sizeBytes }: RowPluginOptions): Plugin {
  const read = async (
    call: QueryCall,
    limitBytes: number,
    partBytes?: number,
    append?: AppendRows,
  ) => {
    refuseMore(call, capabilities);
    const table = await driver.open(call, call.query.id);
    try {
      return await readTable(table, call, {
        sizeBytes: limitBytes,
        ...(append && { append }),
        ...(partBytes !== undefined && { partBytes }),
      });
    } catch (failure) {
      // When a call is aborted, streams and format readers throw their own errors instead of the reason of the abort.
      call.signal.throwIfAborted();
      throw failure;
    } finally {
      await table.close();
    }
  };
  return {
    capabilities,
    datasets: async (call) => (await driver.tables(call)).map(datasetOfTable),
    query: async (call) => ({
      ...(await read(call, sizeBytes, undefined, call.append)),
      applied: [],
    }),
    scan: async ({ take, ...call }: ScanCall) => {
      const rest = await read(call, Infinity, scannedBytes, take);
      if (rest.rowCount > 0) await take(rest);
    },
    authorize: async (call) => (await driver.authorize(call)) ?? undefined,
    ...(driver.release && { release: (credentials) => driver.release!(credentials) }),
    close: async () => driver.close?.(),
  };
}

/** Returns the dataset that represents a table of rows. */
export function datasetOfTable({ table, ...rest }: RowTable): Dataset {
  return { ...rest, table, name: { en: table } };
}
