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

export interface RowPluginOptions {
  readonly driver: RowDriver;
  readonly capabilities: Capabilities;
  /** Most bytes of an answer. */
  readonly sizeBytes: number;
}

/** Bytes of one batch of a scan. */
const scannedBytes = 8 * 2 ** 20;

/**
 * Makes a plugin over a source that gives rows. It reads the cells of a query as the types that the caller knows, and
 * refuses the first one that does not fit, by its place. One plugin serves the credentials of all accounts.
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
      // Readers of streams and of formats fail in their own words when a call ends.
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

/** Returns the dataset that a table of rows is. */
export function datasetOfTable({ table, ...rest }: RowTable): Dataset {
  return { ...rest, table, name: { en: table } };
}
