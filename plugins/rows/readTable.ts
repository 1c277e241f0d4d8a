import {
  PluginError,
  type AppendRows,
  type Batch,
  type Capabilities,
  type Column,
  type QueryCall,
} from "../protocol/index.ts";
import { collectRows } from "../sql/index.ts";
import { readValue } from "./readValue.ts";
import type { OpenTable } from "./rowDriver.ts";

/** The members of a call that reading a table needs. */
export type TableCall = Pick<QueryCall, "query" | "dataset" | "signal">;

export interface ReadTableOptions {
  /** Maximum size of an answer, in bytes. */
  readonly sizeBytes: number;
  /** Receives rows before the answer is complete. The answer then contains only the remaining rows. */
  readonly append?: AppendRows;
  /** Minimum bytes per part. */
  readonly partBytes?: number;
}

/**
 * Reads the columns of a query, converted to the types that the caller knows.
 * @throws {PluginError} PLUGIN_UNREADABLE for the first value that cannot be converted, with the place of that value;
 * PLUGIN_UNKNOWN_COLUMN; PLUGIN_INVALID for an answer that is too large
 */
export async function readTable(
  table: OpenTable,
  call: TableCall,
  options: ReadTableOptions,
): Promise<Batch> {
  const { query, dataset } = call;
  const wanted = query.columns.map(({ column_id }) =>
    columnOf(table, query.id, column_id, dataset),
  );
  return collectRows(typedRows(table, wanted, call), wanted, {
    dialect: { cellOf: (value) => value as number | string | null },
    ...options,
  });
}

/** A column that a query requests, in the type that the caller knows. */
export interface WantedColumn extends Pick<Column, "id" | "type"> {
  /** Index of the column among the columns of the source. */
  readonly index: number;
}

/**
 * Finds a column of the query. Its type is the type that the caller knows; if the caller knows none, the type in the
 * source.
 * @throws {PluginError} PLUGIN_UNKNOWN_COLUMN
 */
export function columnOf(
  { columns }: Pick<OpenTable, "columns">,
  datasetId: string,
  id: string,
  known: QueryCall["dataset"],
): WantedColumn {
  const index = columns.findIndex((column) => column.id === id);
  const own = columns[index];
  if (!own) throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [datasetId, id]);
  return { id, index, type: known?.columns.find((column) => column.id === id)?.type ?? own.type };
}

async function* typedRows(
  table: OpenTable,
  wanted: readonly WantedColumn[],
  { query, signal }: TableCall,
): AsyncGenerator<readonly (readonly unknown[])[]> {
  const indexes = wanted.map(({ index }) => index);
  for await (const { rows, placeOf } of table.rows(indexes, query.filters, signal)) {
    signal.throwIfAborted();
    yield rows.map((row, rowIndex) =>
      wanted.map(({ id, type }, index) => {
        const cell = readValue(row[index], type, table.forms);
        if (cell === undefined)
          throw wrongValue(`${query.id}, ${placeOf(rowIndex)}`, id, type, row[index]);
        return cell;
      }),
    );
  }
}

const wantedTypes = { numeric: "a number", datetime: "a date", hierarchy: "text" } as const;

/** Returns the error of a value that cannot be converted. `place` names the dataset and the row. */
export function wrongValue(
  place: string,
  id: string,
  type: Column["type"],
  value: unknown,
): PluginError {
  const wanted =
    typeof value === "bigint" && type === "numeric"
      ? "a number that keeps its digits; whole numbers beyond 2^53 need a text column"
      : wantedTypes[type];
  return new PluginError("PLUGIN_UNREADABLE", [
    `${place}: ${JSON.stringify(id.slice(0, 100))} must be ${wanted}, not ${shown(value)}; ` +
      "correct the source, or change the column's type to text and synchronize the dataset's metadata",
  ]);
}

/** Formats a value from a source for a message, in at most about 60 characters. */
function shown(value: unknown): string {
  const text = typeof value === "bigint" ? String(value) : (JSON.stringify(value) ?? "nothing");
  return (text.length > 60 ? `${text.slice(0, 60)}…` : text).toWellFormed();
}

/**
 * Refuses clauses that the plugin's capabilities do not promise. Hosts never send them.
 * @throws {PluginError} PLUGIN_NOT_OFFERED
 */
export function refuseMore({ query }: Pick<QueryCall, "query">, capabilities: Capabilities): void {
  const { columns, derived, joins, having, order, groupLimit, limit, options } = query;
  const isMore =
    options.pushdown ||
    columns.some(({ aggregation, level, bin }) => aggregation ?? level ?? bin) ||
    [derived, joins, having, order].some((clause) => clause && clause.length > 0) ||
    groupLimit !== undefined ||
    (limit && !capabilities.limit);
  if (isMore)
    throw new PluginError("PLUGIN_NOT_OFFERED", [
      "anything but plain rows with the requested columns",
    ]);
}
