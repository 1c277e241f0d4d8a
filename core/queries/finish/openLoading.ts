import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Caller, Connection } from "../../base/index.ts";
import {
  PluginError,
  type AppendRows,
  type Batch,
  type BatchColumn,
  type Dataset,
} from "../../../plugins/protocol/index.ts";
import type { Residual } from "../queryPlan.ts";
import { splitBatch } from "./splitBatch.ts";

/** A temporary dataset of the scratch plugin, for one query. */
export interface Temporary {
  readonly id: string;
  readonly columns: Dataset["columns"];
  drop(): Promise<void>;
}

/** A plugin's answer that is being loaded into a temporary dataset. */
export interface Loading {
  /** Adds rows before the answer is complete. */
  readonly append: AppendRows;
  /** Adds the rest of the answer, and returns the dataset. */
  end(rest: Batch): Promise<Temporary>;
  /** Drops the dataset after its query has failed. Rows that arrive later are rejected. */
  drop(): Promise<void>;
}

export type LoadedColumns = Pick<Residual, "columns" | "vectors">;

/**
 * Maximum size of a slice, as counted by `splitBatch`. The batches that a plugin sends are usually smaller and are not
 * split.
 */
const numbersAtOnce = 1_000_000;
/** Milliseconds allowed for creating or dropping a temporary dataset. */
const ownTimeoutMs = 30_000;

/**
 * Loads columns of a plugin's answer into a temporary dataset of the scratch plugin. The first rows create the dataset.
 * Calls run one after another.
 * @throws {PluginError} of the scratch plugin; PLUGIN_BAD_ANSWER if the answer lacks a column
 */
export function openLoading(
  { columns, vectors }: LoadedColumns,
  scratch: Connection,
  caller: Caller,
): Loading {
  const id = `residual-${randomUUID()}`;
  const columnIds = columns.map((column) => column.id);
  let created: Promise<unknown> | undefined;
  let isDropped = false;
  // Does not use the caller's signal, so that the dataset is dropped even after the caller disconnects.
  const own = () => ({ signal: AbortSignal.timeout(ownTimeoutMs) });
  const create = () =>
    (created ??= scratch.write({ action: "create", id, columns, temporary: true }, own()));
  const append = async (rows: Batch): Promise<void> => {
    await create();
    const batch = { rowCount: rows.rowCount, columns: vectors.map((at) => vectorAt(rows, at)) };
    for (const slice of splitBatch(batch, numbersAtOnce)) {
      if (isDropped)
        throw new PluginError("PLUGIN_TIMEOUT", ["the query ended before its rows arrived"]);
      await scratch.write({ action: "append", id, rows: { columnIds, batch: slice } }, caller);
      // Yields between slices, so that other queries run while a long answer loads.
      if (slice !== batch) await setImmediate();
    }
  };
  const drop = async (): Promise<void> => {
    isDropped = true;
    const isCreated = await created?.then(
      () => true,
      () => false,
    );
    if (isCreated) await scratch.write({ action: "drop", id }, own());
  };
  return {
    append,
    async end(rest) {
      await append(rest);
      const named = columns.map(({ id: columnId, type }) => ({ id: columnId, type, name: {} }));
      return { id, columns: named, drop };
    },
    drop,
  };
}

function vectorAt(answer: Batch, index: number): BatchColumn {
  const vector = answer.columns[index];
  if (!vector)
    throw new PluginError("PLUGIN_BAD_ANSWER", [
      `the answer has ${answer.columns.length} columns, but column ${index + 1} was requested`,
    ]);
  return vector;
}
