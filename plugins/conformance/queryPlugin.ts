import {
  type AnsweredBatch,
  type Call,
  type Cell,
  cellsOfColumn,
  type Dataset,
  type Plugin,
  PluginError,
  type Query,
} from "../protocol/index.ts";

/** The rows of a plugin's answer and the filters that it acknowledges, or the reason why the plugin refused. */
export type PluginAnswer =
  | {
      readonly rows: readonly (readonly Cell[])[];
      /** Indexes of the filters that were applied. Absent: all filters that the plugin promises to apply exactly. */
      readonly applied?: readonly number[];
    }
  | {
      readonly refusal: string;
      /** Whether the plugin refused with PLUGIN_NOT_OFFERED, after which a host fetches plain rows instead. */
      readonly isDeclined: boolean;
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
    if (failure instanceof PluginError) {
      const isDeclined = failure.code === "PLUGIN_NOT_OFFERED";
      return { refusal: failure.message, isDeclined };
    }
    const refusal = `it failed with ${String(failure)}, which is not a PluginError`;
    return { refusal, isDeclined: false };
  }
}

/** Lists the rows of a batch, with cells in their wire form. */
function rowsOf({ columns, rowCount }: AnsweredBatch): Cell[][] {
  const cells = columns.map(cellsOfColumn);
  return Array.from({ length: rowCount }, (_, row) => cells.map((column) => column[row] ?? null));
}
