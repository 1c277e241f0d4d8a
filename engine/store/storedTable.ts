import { dictionaryEntryBytes } from "../column/dictionary.ts";
import { EngineError } from "../errors.ts";
import { encodeChange } from "../files/changeFrame.ts";
import type { TableLog } from "../files/tableLog.ts";
import type { Table, TableChange } from "../table/table.ts";
import type { ColumnDefinition, NamedBatch, TableInfo } from "../types.ts";
import { checkColumns, checkRows } from "./checkChange.ts";

/** Bytes that a store may still take; a change reserves what it may need until it is applied. */
export interface Budget {
  reserve(sizeBytes: number): void;
  release(sizeBytes: number): void;
}

/** A frame's length is 32 bits. */
const largestFrameBytes = 2 ** 31;

interface PendingChange {
  readonly change: TableChange;
  readonly resolve: (info: TableInfo) => void;
  readonly reject: (error: unknown) => void;
}

interface CheckedChange extends PendingChange {
  readonly payload: Uint8Array;
  readonly reservedBytes: number;
}

/** One generation of a table with its log. Changes that arrive while others are written are written together and share a sync. */
export class StoredTable {
  readonly table: Table;
  readonly log: TableLog | undefined;
  readonly #budget: Budget;
  #pending: PendingChange[] = [];
  #draining: Promise<void> | undefined;
  #isClosed = false;

  /** Without a log the table is temporary. */
  constructor(table: Table, log: TableLog | undefined, budget: Budget) {
    this.table = table;
    this.log = log;
    this.#budget = budget;
  }

  /** Checks a change, makes it durable and applies it. */
  change(change: TableChange): Promise<TableInfo> {
    if (this.#isClosed) return Promise.reject(new EngineError("TABLE_UNKNOWN", [this.table.name]));
    return new Promise((resolve, reject) => {
      this.#pending.push({ change, resolve, reject });
      this.#draining ??= this.#drain().finally(() => (this.#draining = undefined));
    });
  }

  /** Resolves when everything that was asked before is done. */
  async settle(): Promise<void> {
    await this.#draining;
  }

  /** Finishes what was asked, takes no more, and closes the log. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#draining;
    await this.log?.close();
  }

  async #drain(): Promise<void> {
    while (this.#pending.length > 0) {
      const checked = this.#check(this.#pending.splice(0));
      if (checked.length === 0) continue;
      try {
        await this.log?.append(checked.map(({ payload }) => payload));
        for (const { change, resolve } of checked) {
          this.table.apply(change);
          resolve(this.table.info());
        }
      } catch (error) {
        for (const { reject } of checked) reject(error);
      } finally {
        for (const { reservedBytes } of checked) this.#budget.release(reservedBytes);
      }
    }
  }

  /** Checks each change against the columns that the ones before it leave. */
  #check(pending: readonly PendingChange[]): CheckedChange[] {
    let columns = this.table.definitions;
    const checked: CheckedChange[] = [];
    for (const request of pending) {
      try {
        const after = checkChange(this.table.name, columns, request.change);
        const reservedBytes = estimateBytes(request.change, after.length, this.table.rowCount);
        const payload = this.log ? encodeChange(request.change) : new Uint8Array(0);
        if (payload.length > largestFrameBytes)
          throw new EngineError("BATCH_MALFORMED", [
            `it has more than ${largestFrameBytes} bytes; send it in parts`,
          ]);
        this.#budget.reserve(reservedBytes);
        columns = after;
        checked.push({ ...request, payload, reservedBytes });
      } catch (error) {
        request.reject(error);
      }
    }
    return checked;
  }
}

/** Checks a change and returns the columns after it. */
export function checkChange(
  table: string,
  columns: readonly ColumnDefinition[],
  change: TableChange,
): readonly ColumnDefinition[] {
  let after = columns;
  if (change.drop) {
    for (const name of change.drop)
      if (!after.some((column) => column.name === name))
        throw new EngineError("COLUMN_UNKNOWN", [table, name]);
      else after = after.filter((column) => column.name !== name);
  }
  if (change.add) {
    checkColumns(table, after, change.add);
    after = [...after, ...change.add];
  }
  if (change.rows) checkRows(table, after, change.rows);
  return after;
}

/** Bounds the bytes that a change may come to hold. */
export function estimateBytes(change: TableChange, columnCount: number, rowCount: number): number {
  return (
    (change.rows ? estimateRows(change.rows, columnCount) : 0) +
    (change.add ? change.add.length * Math.min(rowCount, 65_536) * 8 : 0)
  );
}

function estimateRows({ batch }: NamedBatch, columnCount: number): number {
  const texts = batch.columns.reduce((sum, vector) => {
    if (vector.type !== "text") return sum;
    return sum + vector.dictionary.reduce((bytes, text) => bytes + dictionaryEntryBytes(text), 0);
  }, 0);
  return batch.rowCount * columnCount * 8 + texts;
}
