import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Caller, Connection } from "../../contracts/index.ts";
import {
  PluginError,
  type Batch,
  type Dataset,
  type BatchColumn,
} from "../../../plugins/protocol/index.ts";
import type { Residual } from "../queryPlan.ts";
import { splitBatch } from "./splitBatch.ts";

/** A temporary dataset of the scratch plugin, for one query. */
export interface Temporary {
  readonly id: string;
  readonly columns: Dataset["columns"];
  drop(): Promise<void>;
}

/**
 * Computes the residual of a query: loads the plugin's answer into a temporary dataset of the
 * scratch plugin and asks there.
 * Drops the dataset, also after an error or an abort.
 * @throws {PluginError} of the scratch plugin
 */
export async function finish(
  residual: Residual,
  answer: Batch,
  scratch: Connection,
  caller: Caller,
): Promise<Batch> {
  const temporary = await loadTemporary(residual, answer, scratch, caller);
  try {
    const { id } = temporary;
    return await scratch.query({ ...residual.query, id }, temporary, caller);
  } finally {
    await temporary.drop();
  }
}

/**
 * Loads columns of a plugin's answer into a temporary dataset of the scratch plugin. Drops it when
 * that fails.
 * @throws {PluginError} of the scratch plugin; PLUGIN_BAD_ANSWER when the answer lacks a column
 */
export async function loadTemporary(
  { columns, vectors }: Pick<Residual, "columns" | "vectors">,
  answer: Batch,
  scratch: Connection,
  caller: Caller,
): Promise<Temporary> {
  const id = `residual-${randomUUID()}`;
  const drop = async () => {
    await scratch.write({ action: "drop", id }, { signal: AbortSignal.timeout(ownTimeoutMs) });
  };
  // The host's own signal: a caller that leaves must not keep the dataset from being dropped.
  const own = { signal: AbortSignal.timeout(ownTimeoutMs) };
  await scratch.write({ action: "create", id, columns, temporary: true }, own);
  try {
    const batch = {
      rowCount: answer.rowCount,
      columns: vectors.map((index) => vectorAt(answer, index)),
    };
    const columnIds = columns.map((column) => column.id);
    for (const slice of splitBatch(batch)) {
      await scratch.write({ action: "append", id, rows: { columnIds, batch: slice } }, caller);
      // Lets others run: a long answer is not loaded at once.
      if (slice !== batch) await setImmediate();
    }
  } catch (failure) {
    await drop();
    throw failure;
  }
  const named = columns.map(({ id: columnId, type }) => ({ id: columnId, type, name: {} }));
  return { id, columns: named, drop };
}

/** Milliseconds to create or drop a temporary dataset. */
const ownTimeoutMs = 30_000;

function vectorAt(answer: Batch, index: number): BatchColumn {
  const vector = answer.columns[index];
  if (!vector)
    throw new PluginError("PLUGIN_BAD_ANSWER", [
      `the answer has ${answer.columns.length} columns, but column ${index + 1} was asked for`,
    ]);
  return vector;
}
