import {
  answerColumn,
  type Batch,
  type CellColumn,
  type Column,
  PluginError,
  type Query,
  type QueryColumn,
} from "../../../../plugins/protocol/index.ts";
import type { RemotePlugin } from "./remotePlugin.ts";

/** The columns of a query in the order in which they are sent, with the mapping back to the order of the query. */
export interface LegacyColumns {
  /** Group columns before aggregated columns, without repetitions. */
  readonly sent: readonly QueryColumn[];
  /** The types of the cells in the sent columns. */
  readonly cells: readonly CellColumn[];
  /** For each requested column, the index of the sent column that answers it. */
  readonly positions: readonly number[];
}

/**
 * Arranges the columns of a query for a plugin with pushdown: group columns first, and each column only once. One known
 * plugin always returns group cells first, and no version defines how a plugin treats a column that is named twice.
 * @throws {PluginError} PLUGIN_NOT_OFFERED for features that the numbered versions lack, PLUGIN_UNKNOWN_COLUMN for a
 * column that the dataset does not have
 */
export function legacyColumns(
  query: Query,
  columns: readonly Column[],
  { supportsDistinctcount }: Pick<RemotePlugin, "supportsDistinctcount">,
): LegacyColumns {
  const byId = new Map(columns.map((column) => [column.id, column]));
  const typed = query.columns.map((requested) => {
    const column = byId.get(requested.column_id);
    if (!column && requested.column_id !== "*")
      throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [query.id, requested.column_id]);
    if (requested.aggregation === "distinctcount" && !supportsDistinctcount)
      throw notOffered("distinct counts");
    checkOffered(requested, column, query.options.pushdown);
    return wireColumn(requested, column);
  });
  const distinct = new Map(typed.map((column) => [JSON.stringify(column), column]));
  const isAggregated = ({ aggregation }: QueryColumn) => aggregation !== undefined;
  const entries = [...distinct].sort(([, a], [, b]) => +isAggregated(a) - +isAggregated(b));
  const keys = entries.map(([key]) => key);
  const sent = entries.map(([, column]) => column);
  return {
    sent,
    cells: sent.map((column) => answerColumn(column, byId.get(column.column_id))),
    positions: typed.map((column) => keys.indexOf(JSON.stringify(column))),
  };
}

/** Puts the columns of an answer into the requested order. */
export function inRequestedOrder(batch: Batch, { positions }: LegacyColumns): Batch {
  return {
    rowCount: batch.rowCount,
    columns: positions.map((position) => batch.columns[position]!),
  };
}

const offeredAggregations = new Set(["sum", "min", "max", "count", "distinctcount"]);

function checkOffered(
  requested: QueryColumn,
  column: Column | undefined,
  isGrouped: boolean,
): void {
  const { aggregation, level } = requested;
  if (requested.bin) throw notOffered("bins");
  if (aggregation && !offeredAggregations.has(aggregation))
    throw notOffered(`the aggregation ${aggregation}`);
  if (aggregation && !isGrouped) throw notOffered("aggregations of plain rows");
  if (!column && aggregation !== "count") throw notOffered("* without count");
  if (level && (!isGrouped || aggregation)) throw notOffered("levels outside of groups");
  // Existing plugins return days for weeks.
  if (level === "week") throw notOffered("weeks");
  // The smallest string depends on the sort order, which differs between sources. For datetimes, existing plugins
  // return null as minimum and maximum.
  if ((aggregation === "min" || aggregation === "max") && column && column.type !== "numeric")
    throw notOffered(`the ${aggregation} of a column that is not numeric`);
}

function wireColumn(requested: QueryColumn, column: Column | undefined): QueryColumn {
  return {
    column_id: requested.column_id,
    ...(requested.level && { level: requested.level }),
    ...(requested.aggregation && { aggregation: requested.aggregation }),
    ...(column && { type: column.type }),
  };
}

function notOffered(what: string): PluginError {
  return new PluginError("PLUGIN_NOT_OFFERED", [what]);
}
