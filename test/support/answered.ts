import type { AnsweredQuery } from "../../core/queries/present/answeredQuery.ts";
import type { QueryColumn, Batch } from "../../plugins/protocol/index.ts";

export interface AnsweredOptions {
  /** Members that override the members of the query's columns, one entry per column of the batch. */
  readonly requested?: readonly Partial<QueryColumn>[];
  /** For each cell of a row, the index of its batch column. By default, a row has one cell per column, in order. */
  readonly cells?: readonly number[];
  readonly isPlain?: boolean;
  readonly labels?: AnsweredQuery["labels"];
}

/**
 * Returns an answer without running a query. Its columns `c0`, `c1`, … belong to the dataset `D` and are named `name of
 * c0` and so on.
 */
export function answeredOf(batch: Batch, options: AnsweredOptions = {}): AnsweredQuery {
  const ids = batch.columns.map((_, index) => `c${index}`);
  const cells = options.cells ?? ids.map((_, index) => index);
  const named = new Map(ids.map((id) => [id, { id, name: `name of ${id}` }]));
  return {
    parsed: {
      path: "",
      dimensions: cells.map((index) => ({ path: "", datasetId: "D", columnId: ids[index] ?? "" })),
      measures: [],
      ...(options.isPlain && { isPlain: true }),
    },
    secured: {
      dataset: { id: "D", columns: named },
      joined: [],
      query: {
        columns: ids.map((id, index) => ({ column_id: id, ...options.requested?.[index] })),
      },
      cells,
    },
    batch,
    ...(options.labels && { labels: options.labels }),
    cached: false,
    performance: {
      validating: 0.125,
      preparing: 0,
      queuing: 0,
      querying: 3,
      processing: 1,
      rows: batch.rowCount,
    },
    // The object omits members that no writer reads.
  } as unknown as AnsweredQuery;
}
