import {
  PluginError,
  type AppendRows,
  type Capabilities,
  type Column,
  type Dataset,
  type Plugin,
  type QueryCall,
  type ScanCall,
} from "../protocol/index.ts";
import { collectRows } from "../sql/index.ts";
import { readValue } from "./readValue.ts";
import type { OpenTable, RowDriver, RowTable } from "./rowDriver.ts";

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
    take?: AppendRows,
  ) => {
    const { query, signal, dataset } = call;
    refuseMore(call, capabilities);
    const table = await driver.open(call, query.id);
    try {
      const asked = query.columns.map(({ column_id }) =>
        columnOf(table, query.id, column_id, dataset),
      );
      const rows = typedRows(table, asked, call);
      return await collectRows(rows, asked, {
        dialect: { cellOf: (value) => value as number | string | null },
        sizeBytes: limitBytes,
        ...(take && { append: take }),
        ...(partBytes !== undefined && { partBytes }),
      });
    } catch (failure) {
      // Readers of streams and of formats fail in their own words when a call ends.
      signal.throwIfAborted();
      throw failure;
    } finally {
      await table.close();
    }
  };
  return {
    capabilities,
    datasets: async (call) => (await driver.tables(call)).map(toDataset),
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

interface AskedColumn extends Pick<Column, "id" | "type"> {
  /** Its index in the columns of the source. */
  readonly index: number;
}

/** Finds an asked column; its type is the one that the caller knows, else the source's. */
function columnOf(
  { columns }: OpenTable,
  datasetId: string,
  id: string,
  known: QueryCall["dataset"],
): AskedColumn {
  const index = columns.findIndex((column) => column.id === id);
  const own = columns[index];
  if (!own) throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [datasetId, id]);
  return { id, index, type: known?.columns.find((column) => column.id === id)?.type ?? own.type };
}

async function* typedRows(
  table: OpenTable,
  asked: readonly AskedColumn[],
  { query, signal }: QueryCall,
): AsyncGenerator<readonly (readonly unknown[])[]> {
  const wanted = asked.map(({ index }) => index);
  for await (const { rows, placeOf } of table.rows(wanted, query.filters, signal)) {
    signal.throwIfAborted();
    yield rows.map((row, rowIndex) =>
      asked.map(({ id, type }, index) => {
        const cell = readValue(row[index], type, table.forms);
        if (cell === undefined)
          throw wrongValue(`${query.id}, ${placeOf(rowIndex)}`, id, type, row[index]);
        return cell;
      }),
    );
  }
}

const wanted = { numeric: "a number", datetime: "a date", hierarchy: "a text" } as const;

function wrongValue(place: string, id: string, type: Column["type"], value: unknown): PluginError {
  return new PluginError("PLUGIN_SOURCE_FAILED", [
    `${place}: ${JSON.stringify(id.slice(0, 100))} is not ${wanted[type]}: ${shown(value)}; ` +
      "correct the source, or give the column the type text and synchronize the dataset's metadata",
  ]);
}

/** Shows a value of a source in at most some 60 characters. */
function shown(value: unknown): string {
  const text = typeof value === "bigint" ? String(value) : (JSON.stringify(value) ?? "nothing");
  return (text.length > 60 ? `${text.slice(0, 60)}…` : text).toWellFormed();
}

/** Refuses clauses that were not promised, which no host sends. */
function refuseMore({ query }: QueryCall, capabilities: Capabilities): void {
  const { columns, derived, joins, having, order, limit, options } = query;
  const isMore =
    options.pushdown ||
    columns.some(({ aggregation, level, bin }) => aggregation ?? level ?? bin) ||
    [derived, joins, having, order].some((clause) => clause && clause.length > 0) ||
    (limit && !capabilities.limit);
  if (isMore)
    throw new PluginError("PLUGIN_NOT_OFFERED", ["more than rows with the columns asked for"]);
}

function toDataset({ table, ...rest }: RowTable): Dataset {
  return { ...rest, table, name: { en: table } };
}
