import { setImmediate } from "node:timers/promises";
import type { Column } from "../../column/column.ts";
import { rowGroupSize } from "../../column/segment/segment.ts";
import type { Memory } from "../../memory/memory.ts";
import { isDeletedRow, type DeletedRows } from "../../table/deletedRows.ts";
import { readBatchColumn } from "../../table/readBatchColumn.ts";
import type { Table } from "../../table/table.ts";
import type { BatchColumn } from "../../types.ts";

/**
 * Returns new columns of a table without its deleted rows. All parts of the columns must be in memory, and the table
 * must not change meanwhile. Yields to other work after each row group of a column.
 * @throws {EngineError} STORE_OUT_OF_MEMORY, and the errors of `check`
 */
export async function foldColumns(
  memory: Memory,
  table: Table,
  deleted: DeletedRows,
  check: () => void,
): Promise<readonly Column[]> {
  const made: Column[] = [];
  try {
    for (const column of table.columns) {
      const folded = table.createColumn(column.definition, 0);
      made.push(folded);
      for (let firstRow = 0; firstRow < table.rowCount; firstRow += rowGroupSize) {
        const rowCount = Math.min(rowGroupSize, table.rowCount - firstRow);
        const kept = keptRows(deleted, firstRow, rowCount);
        const batch = readBatchColumn(memory, column, firstRow / rowGroupSize);
        folded.append(takeRows(batch, kept), kept.length);
        await setImmediate();
        check();
      }
    }
    return made;
  } catch (error) {
    for (const column of made) column.close();
    throw error;
  }
}

function keptRows(deleted: DeletedRows, firstRow: number, rowCount: number): Int32Array {
  const rows = new Int32Array(rowCount);
  let count = 0;
  for (let row = 0; row < rowCount; row++)
    if (!isDeletedRow(deleted, firstRow + row)) rows[count++] = row;
  return rows.subarray(0, count);
}

function takeRows(column: BatchColumn, rows: Int32Array): BatchColumn {
  if (column.type === "text") {
    const codes = Int32Array.from(rows, (row) => column.codes[row]);
    return { type: "text", codes, dictionary: column.dictionary };
  }
  return { type: column.type, values: Float64Array.from(rows, (row) => column.values[row]) };
}
