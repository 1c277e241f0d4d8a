import { EngineError } from "../../errors.ts";
import { encodeChange } from "../../files/changeFrame.ts";
import { largestFrameBytes, sizeOf } from "../../files/frame.ts";
import type { Memory } from "../../memory/memory.ts";
import type { Table, TableChange } from "../../table/table.ts";
import type { TableInfo } from "../../types.ts";
import { checkChange } from "../changes/checkChange.ts";
import { estimateBytes } from "../changes/estimateBytes.ts";
import type { TableSoundness } from "./tableSoundness.ts";

/** A change that waits for its turn, and the functions that settle its promise. */
export interface PendingChange {
  readonly change: TableChange;
  readonly resolve: (info: TableInfo) => void;
  readonly reject: (error: unknown) => void;
}

/** A checked change, with the bytes to write. */
export interface CheckedChange extends PendingChange {
  readonly payload: readonly Uint8Array[];
  readonly reservedBytes: number;
}

interface CheckedTable {
  readonly table: Table;
  /** Whether the table has a log. Changes to a table without a log are not written to disk. */
  readonly hasLog: boolean;
  readonly memory: Memory;
  readonly soundness: TableSoundness;
}

/**
 * Checks each change against the columns that result from the previous changes, and reserves its memory. Rejected
 * changes are settled and are not in the result.
 */
export function checkChanges(
  pending: readonly PendingChange[],
  { table, hasLog, memory, soundness }: CheckedTable,
): CheckedChange[] {
  let columns = table.definitions;
  const checked: CheckedChange[] = [];
  for (const request of pending) {
    try {
      if (soundness.isDamaged) soundness.check();
      const after = checkChange(table.name, columns, request.change);
      const reservedBytes = estimateBytes(request.change, after.length, table.rowCount);
      const payload = hasLog ? encodeChange(request.change) : [];
      if (sizeOf(payload) > largestFrameBytes)
        throw new EngineError("BATCH_MALFORMED", [
          `it has more than ${largestFrameBytes} bytes; send it in parts`,
        ]);
      memory.reserve(reservedBytes);
      columns = after;
      checked.push({ ...request, payload, reservedBytes });
    } catch (error) {
      request.reject(error);
    }
  }
  return checked;
}
