import { randomUUID } from "node:crypto";
import type { Caller, Connection } from "../connections/connection.ts";
import { PluginError, type Batch, type Vector } from "../../plugins/protocol/index.ts";
import type { Residual } from "./plan.ts";

/**
 * Finishes a query over the plugin's answer: loads its columns into a temporary dataset of the scratch
 * plugin, asks the residual there and drops the dataset, also after an error and an abort.
 * @throws {PluginError} of the scratch plugin
 */
export async function finish(
  residual: Residual,
  answer: Batch,
  scratch: Connection,
  caller: Caller,
): Promise<Batch> {
  const id = `residual-${randomUUID()}`;
  const { columns } = residual;
  await scratch.write({ action: "create", id, columns, temporary: true }, caller);
  try {
    const batch = {
      rowCount: answer.rowCount,
      columns: residual.vectors.map((index) => vectorAt(answer, index)),
    };
    if (batch.rowCount > 0)
      await scratch.write(
        { action: "append", id, rows: { columnIds: columns.map((column) => column.id), batch } },
        caller,
      );
    const dataset = {
      id,
      columns: columns.map(({ id: columnId, type }) => ({ id: columnId, type, name: {} })),
    };
    return await scratch.query({ ...residual.query, id }, dataset, caller);
  } finally {
    await scratch.write({ action: "drop", id }, { signal: AbortSignal.timeout(dropTimeoutMs) });
  }
}

const dropTimeoutMs = 30_000;

function vectorAt(answer: Batch, index: number): Vector {
  const vector = answer.columns[index];
  if (!vector)
    throw new PluginError("PLUGIN_BAD_ANSWER", [
      `the answer has ${answer.columns.length} columns, column ${index + 1} was asked`,
    ]);
  return vector;
}
