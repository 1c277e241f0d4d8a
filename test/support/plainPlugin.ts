import { randomUUID } from "node:crypto";
import {
  aggregations,
  cellsOfColumn,
  functions,
  levels,
  operators,
  PluginError,
  columnOfCells,
  type Batch,
  type Capabilities,
  type Cell,
  type Dataset,
  type Plugin,
  type Query,
  type Write,
} from "../../plugins/protocol/index.ts";
import { batchRows } from "./batchRows.ts";
import { beyondCapabilities } from "./beyondCapabilities.ts";
import { joinedTable } from "./joinedTable.ts";
import { plainAnswer, type PlainRow, type PlainTable } from "./plainAnswer.ts";

/**
 * A plugin in plain JavaScript that answers queries row by row. It is slow, but its code follows the wording of the
 * protocol as closely as possible.
 */
export interface PlainPlugin extends Plugin {
  /** Every query that the plugin received, in order. */
  readonly requested: Query[];
  /** Returns the rows of a dataset, with cells in their wire form. */
  rowsOf(id: string): readonly PlainRow[] | undefined;
  fill(id: string, columns: PlainTable["columns"], rows: readonly (readonly Cell[])[]): void;
}

const types = ["numeric", "datetime", "hierarchy"] as const;

export const everyCapability: Capabilities = {
  projection: true,
  filters: {
    operators: Object.fromEntries(operators.map((operator) => [operator, types])),
    nested: true,
    levels: true,
  },
  grouping: { aggregations, levels, timezones: true },
  levelsAnywhere: true,
  bins: true,
  decimalBins: true,
  expressions: { functions },
  joins: true,
  compositeJoins: true,
  joinFilters: true,
  having: true,
  order: true,
  groupLimit: true,
  cumulativePer: true,
  limit: true,
  write: true,
  temporary: true,
};

/**
 * Creates a plugin that promises `capabilities`. The plugin fails with PLUGIN_BUG for any query that needs other
 * capabilities.
 */
export function createPlainPlugin(capabilities: Capabilities = everyCapability): PlainPlugin {
  const tables = new Map<string, PlainTable>();
  const requested: Query[] = [];
  const tableOf = (id: string): PlainTable => {
    const table = tables.get(id);
    if (!table) throw new PluginError("PLUGIN_UNKNOWN_DATASET", [id]);
    return table;
  };
  return {
    capabilities,
    requested,
    rowsOf: (id) => tables.get(id)?.rows,
    fill(id, columns, rows) {
      const ids = columns.map((column) => column.id);
      tables.set(id, { columns, rows: rows.map((row) => toRow(ids, row)) });
    },
    async datasets() {
      return [...tables].map(([id, table]): Dataset => ({
        id,
        name: { en: id },
        columns: table.columns.map((column) => ({ ...column, name: { en: column.id } })),
      }));
    },
    async query({ query, signal, append }) {
      signal.throwIfAborted();
      requested.push(query);
      const table = joinedTable(query, tableOf);
      const beyond = beyondCapabilities(query, table, capabilities, tableOf);
      if (beyond)
        throw new PluginError("PLUGIN_BUG", [
          `the query has ${beyond}, which the plugin does not promise`,
        ]);
      const { joins: _, ...unjoined } = query;
      const answer = capabilities.projection ? plainAnswer(unjoined, table) : allColumns(table);
      if (!append) return answer;
      const early = Math.ceil(answer.rowCount / 2);
      if (early > 0) await append(batchRows(answer, 0, early));
      return batchRows(answer, early, answer.rowCount);
    },
    async write({ write }) {
      if (!capabilities.write) throw new PluginError("PLUGIN_NOT_OFFERED", ["write"]);
      const changed = changeTable(
        write,
        write.action === "create" ? undefined : tableOf(write.id),
        tables.has(write.id),
      );
      if (changed) tables.set(write.id, changed);
      else tables.delete(write.id);
      return { rowCount: changed?.rows.length ?? 0, version: randomUUID() };
    },
  };
}

function changeTable(
  write: Write,
  table: PlainTable | undefined,
  exists: boolean,
): PlainTable | undefined {
  if (write.action === "drop") return undefined;
  if (write.action === "create") {
    if (exists) throw new PluginError("PLUGIN_CONFLICT", [write.id]);
    return { columns: write.columns, rows: [] };
  }
  if (!table) throw new PluginError("PLUGIN_UNKNOWN_DATASET", [write.id]);
  if (write.action === "update") throw new PluginError("PLUGIN_NOT_OFFERED", ["update"]);
  if (write.action === "alter")
    return {
      ...table,
      columns: [
        ...table.columns.filter(({ id }) => !write.drop?.includes(id)),
        ...(write.add ?? []),
      ],
    };
  const columns =
    write.action === "append"
      ? [...table.columns, ...(write.addColumns ?? [])]
      : (write.columns ?? table.columns);
  const { columnIds, batch } = write.rows;
  const unknown = columnIds.find((id) => !columns.some((column) => column.id === id));
  if (unknown) throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [write.id, unknown]);
  const cells = batch.columns.map(cellsOfColumn);
  const added = Array.from({ length: batch.rowCount }, (_, row) =>
    toRow(
      columnIds,
      cells.map((column) => column[row] ?? null),
    ),
  );
  return { columns, rows: write.action === "append" ? [...table.rows, ...added] : added };
}

function toRow(ids: readonly string[], cells: readonly Cell[]): PlainRow {
  return Object.fromEntries(ids.map((id, index) => [id, cells[index] ?? null]));
}

function allColumns(table: PlainTable): Batch {
  return {
    rowCount: table.rows.length,
    columns: table.columns.map((column) =>
      columnOfCells(
        column,
        table.rows.map((row) => row[column.id] ?? null),
      ),
    ),
  };
}
