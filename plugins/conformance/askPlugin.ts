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

/** The rows of an answer and the filters that it acknowledges, or why there are none. */
export type Asked =
  | {
      readonly rows: readonly (readonly Cell[])[];
      /** Indexes of the filters that were applied; absent: all that the plugin promises exactly. */
      readonly applied?: readonly number[];
    }
  | {
      readonly refusal: string;
      /** PLUGIN_NOT_OFFERED: the host asks for plain rows instead. */
      readonly isDeclined: boolean;
    };

/** Asks a plugin a query. A refusal is an outcome, any other failure too: a plugin throws only `PluginError`. */
export async function askPlugin(
  plugin: Plugin,
  dataset: Dataset,
  query: Query,
  call: Call,
): Promise<Asked> {
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
    const refusal = `it failed with ${String(failure)}, which is no PluginError`;
    return { refusal, isDeclined: false };
  }
}

/** Lists the rows of a batch, with cells as on the wire. */
function rowsOf({ columns, rowCount }: AnsweredBatch): Cell[][] {
  const cells = columns.map(cellsOfColumn);
  return Array.from({ length: rowCount }, (_, row) => cells.map((column) => column[row] ?? null));
}
