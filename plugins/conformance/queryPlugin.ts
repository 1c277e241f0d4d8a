import {
  type AnsweredBatch,
  type Call,
  type Cell,
  cellsOfColumn,
  type Dataset,
  type Plugin,
  PluginError,
  type PluginErrorCode,
  type Query,
} from "../protocol/index.ts";

/**
 * The rows of a plugin's answer and the filters that it acknowledges, or the reason why the plugin refused the query.
 */
export type PluginAnswer =
  | {
      readonly rows: readonly (readonly Cell[])[];
      /** Indexes of the filters that were applied. Absent: all filters that the plugin promises to apply exactly. */
      readonly applied?: readonly number[];
    }
  | {
      readonly refusal: string;
      /** The code of the plugin's error. Absent for a failure that is not a `PluginError`. */
      readonly code?: PluginErrorCode;
    };

/** Sends a query to a plugin. Failures are returned as refusals, including errors other than `PluginError`. */
export async function queryPlugin(
  plugin: Plugin,
  dataset: Dataset,
  query: Query,
  call: Call,
): Promise<PluginAnswer> {
  call.signal.throwIfAborted();
  try {
    const answer = await plugin.query({ ...call, query, dataset });
    return { rows: rowsOf(answer), ...(answer.applied && { applied: answer.applied }) };
  } catch (failure) {
    call.signal.throwIfAborted();
    if (failure instanceof PluginError) return { refusal: failure.message, code: failure.code };
    return { refusal: `it failed with ${String(failure)}, which is not a PluginError` };
  }
}

/** Lists the rows of a batch, with cells in their wire form. */
function rowsOf({ columns, rowCount }: AnsweredBatch): Cell[][] {
  const cells = columns.map(cellsOfColumn);
  return Array.from({ length: rowCount }, (_, row) => cells.map((column) => column[row] ?? null));
}
