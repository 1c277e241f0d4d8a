import { setImmediate } from "node:timers/promises";
import type { Column } from "../column/column.ts";
import type { ColumnFill } from "../column/columnFill.ts";
import type { SealedBatchColumn } from "../column/sealedBatchColumn.ts";
import type { EncodedBatch } from "../column/encodedBatch.ts";
import type { EncodedBatchColumn } from "../column/encodedBatchColumn.ts";
import type { SealedBatch } from "../column/sealedBatch.ts";

/** Milliseconds of work before yielding to other work. */
const turnMs = 2;

/**
 * Rows to add to a table. They stay invisible until `Table.take`. Until then, nothing else may change the rows or
 * columns of the table.
 */
export class TableFill {
  readonly #parts: readonly { readonly column: Column; readonly fill: ColumnFill }[];
  readonly #textCounts: readonly number[];
  #rowCount = 0;

  constructor(columns: readonly Column[]) {
    this.#parts = columns.map((column) => ({ column, fill: column.fill() }));
    this.#textCounts = columns.map(({ dictionary }) => dictionary?.size ?? 0);
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  /** Adds rows in steps of a few milliseconds, and yields to other work between steps. */
  async append({ rowCount, columns }: EncodedBatch | SealedBatch): Promise<void> {
    const added = new Map<string, EncodedBatchColumn | SealedBatchColumn>();
    for (const { name, column } of columns) added.set(name, column);
    let turnAt = performance.now() + turnMs;
    for (const { column, fill } of this.#parts) {
      const steps = fill.append(added.get(column.definition.name), rowCount);
      while (!steps.next().done) {
        if (performance.now() < turnAt) continue;
        await setImmediate();
        turnAt = performance.now() + turnMs;
      }
    }
    this.#rowCount += rowCount;
  }

  /** Makes the rows visible to readers. */
  end(): void {
    for (const { column, fill } of this.#parts) column.take(fill);
  }

  /** Frees the memory and removes the strings that the rows added. */
  discard(): void {
    this.#parts.forEach(({ column, fill }, index) => {
      fill.discard();
      column.truncateTexts(this.#textCounts[index]);
    });
  }
}
