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

/** A plugin's answer on its way into a temporary dataset. */
export interface Loading {
  /** Adds rows before the answer ends. */
  readonly append: AppendRows;
  /** Adds the rest of the answer, and returns the dataset. */
  end(rest: Batch): Promise<Temporary>;
  /** Drops what there is, for a query that failed; rows that come later are refused. */
  drop(): Promise<void>;
}

export type LoadedColumns = Pick<Residual, "columns" | "vectors">;

/** Numbers of a slice, as `splitBatch` counts them: a part that a plugin appends is not cut again. */
const numbersAtOnce = 1_000_000;
/** Milliseconds to create or drop a temporary dataset. */
const ownTimeoutMs = 30_000;

/**
 * Loads columns of a plugin's answer into a temporary dataset of the scratch plugin, which is created with the first
 * rows. Calls are made one after another.
 * @throws {PluginError} of the scratch plugin; PLUGIN_BAD_ANSWER when the answer lacks a column
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
  // The host's own signal: a caller that leaves must not keep the dataset from being dropped.
  const own = () => ({ signal: AbortSignal.timeout(ownTimeoutMs) });
  const create = () =>
    (created ??= scratch.write({ action: "create", id, columns, temporary: true }, own()));
  const append = async (rows: Batch): Promise<void> => {
    await create();
    const batch = { rowCount: rows.rowCount, columns: vectors.map((at) => vectorAt(rows, at)) };
    for (const slice of splitBatch(batch, numbersAtOnce)) {
      if (isDropped) throw new PluginError("PLUGIN_TIMEOUT", ["the query ended before its rows"]);
      await scratch.write({ action: "append", id, rows: { columnIds, batch: slice } }, caller);
      // Lets others run: a long answer is not loaded at once.
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
      `the answer has ${answer.columns.length} columns, but column ${index + 1} was asked for`,
    ]);
  return vector;
}
