import { EngineError } from "../../errors.ts";
import { encodeChange } from "../../files/changeFrame.ts";
import { frameHeaderBytes, largestFrameBytes, sizeOf } from "../../files/frame.ts";
import { decodeSealed } from "../../files/sealedFrame.ts";
import type { TableLog } from "../../files/tableLog.ts";
import type { EncodedBatch } from "../../column/encodedBatch.ts";
import type { SealedFrame } from "../../files/sealedFrame.ts";
import type { Memory } from "../../memory/memory.ts";
import type { Table } from "../../table/table.ts";
import type { TableFill } from "../../table/tableFill.ts";
import type { ColumnDefinition } from "../../types.ts";
import { estimateBatch } from "./estimateBytes.ts";

/** Rows for a table, in order: encoded batches, or sealed batches in their frames. */
type FilledBatches = AsyncIterable<EncodedBatch | SealedFrame>;

/** Rows that arrive in batches but form one change. */
export interface BatchedRows {
  /** The columns that the batches fill. */
  readonly columns: readonly ColumnDefinition[];
  readonly batches: FilledBatches;
}

interface TableFilling {
  readonly table: Table;
  /** The log of the table; absent if the table is temporary. */
  readonly log: TableLog | undefined;
  readonly memory: Memory;
  readonly batches: FilledBatches;
  /** Called before every batch; throws to abort the fill. */
  readonly check: () => void;
}

/**
 * Adds batches to a table as one change. As each batch arrives, it is written to the log and encoded into memory, in
 * short steps. The rows stay invisible to readers. At the end, the log is synced, and `take` makes the rows visible. If
 * the fill fails, memory, log and dictionaries are restored. Until the fill ends, nothing else may change the rows or
 * columns of the table.
 * @throws {EngineError} STORE_OUT_OF_MEMORY, STORE_WRITE_FAILED, BATCH_MALFORMED, and the errors of `batches` and
 * `check`
 */
export async function fillTable(filling: TableFilling): Promise<TableFill> {
  const { table, log, memory, batches, check } = filling;
  const openBytes = table.columns.reduce((sum, column) => sum + column.openBytes, 0);
  memory.reserve(openBytes);
  let fill: TableFill;
  try {
    fill = table.fill();
  } finally {
    memory.release(openBytes);
  }
  try {
    for await (const batch of batches) {
      check();
      await addBatch(filling, fill, batch);
    }
    check();
    await log?.append([encodeChange({})]);
    return fill;
  } catch (error) {
    fill.discard();
    await log?.cancel();
    throw error;
  }
}

/** Writes a batch to the log and, at the same time, to memory. */
async function addBatch(
  { table, log, memory }: TableFilling,
  fill: TableFill,
  batch: EncodedBatch | SealedFrame,
): Promise<void> {
  const isSealed = "frame" in batch;
  const rows = isSealed
    ? decodeSealed(batch.frame.subarray(frameHeaderBytes), batch.hashes)
    : batch;
  const reservedBytes = estimateBatch(rows, table.columns.length);
  memory.reserve(reservedBytes);
  try {
    const written = isSealed ? log?.appendFrame(batch.frame) : log?.appendPart(encodePart(batch));
    const steps = [written, fill.append(rows)];
    const failed = (await Promise.allSettled(steps)).find((each) => each.status === "rejected");
    if (failed) throw failed.reason;
  } finally {
    memory.release(reservedBytes);
  }
}

function encodePart(batch: EncodedBatch): readonly Uint8Array[] {
  const payload = encodeChange({ encoded: [batch] }, true);
  if (sizeOf(payload) > largestFrameBytes)
    throw new EngineError("BATCH_MALFORMED", [
      `one of its batches has more than ${largestFrameBytes} bytes; send smaller batches`,
    ]);
  return payload;
}
