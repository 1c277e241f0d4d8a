import type { Caller, Connection } from "../../base/index.ts";
import type { Batch, ColumnFilter, KnownDataset } from "../../../plugins/protocol/index.ts";

/** The rows of a source that a load reads. */
export interface SourceRows {
  readonly connection: Connection;
  readonly dataset: KnownDataset;
  /** Ids of the columns in the source. */
  readonly columnIds: readonly string[];
  /** Filters on instants. They are sent to the source if it can apply them. The caller must test the rows again. */
  readonly filters?: readonly ColumnFilter[];
}

/**
 * Reads rows of a source in batches, with columns in the order of `columnIds`. A plugin without `scan` returns a single
 * batch, which is limited by the host's maximum answer size. If `isGivenAway` is set, `take` must free the rows.
 * `share` is the part of the source's rows that has been read, if the source knows it.
 * @throws {PluginError} of the source, and the errors of `take`
 */
export async function readRows(
  { connection, dataset, columnIds, filters = [] }: SourceRows,
  caller: Caller,
  take: (rows: Batch, isGivenAway: boolean, share?: number) => Promise<void>,
): Promise<void> {
  const { capabilities } = connection;
  const query = {
    id: dataset.id,
    columns: columnIds.map((column_id) => ({ column_id })),
    filters: filters.filter((filter) => isSent(filter, connection, dataset)),
    options: { pushdown: false },
  };
  const places = columnIds.map((id) => dataset.columns.findIndex((column) => column.id === id));
  // A basic plugin returns every column of its dataset, in the dataset's order.
  const inOrder = (batch: Batch): Batch =>
    capabilities.projection
      ? batch
      : { ...batch, columns: places.map((place) => batch.columns[place]!) };
  if (connection.scan) {
    await connection.scan(query, dataset, caller, (rows, share) =>
      take(inOrder(rows), true, share),
    );
    return;
  }
  await take(inOrder(await connection.query(query, dataset, caller)), false);
}

/** Returns whether a filter on instants is sent to a source: the source must apply it exactly or as a superset. */
export function isSent(
  { column_id, expression }: ColumnFilter,
  { capabilities }: Pick<Connection, "capabilities">,
  dataset: KnownDataset,
): boolean {
  const column = dataset.columns.find(({ id }) => id === column_id);
  if (!column || column.narrowed || !capabilities.projection) return false;
  const { operators, superset } = capabilities.filters ?? {};
  return (
    operators?.[expression]?.includes("datetime") === true ||
    superset?.[expression]?.includes("datetime") === true
  );
}
