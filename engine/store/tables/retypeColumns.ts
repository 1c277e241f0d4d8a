import type { Column } from "../../column/column.ts";
import { rowGroupSize } from "../../column/segment/segment.ts";
import { EngineError } from "../../errors.ts";
import type { Memory } from "../../memory/memory.ts";
import { isDeletedRow, type DeletedRows } from "../../table/deletedRows.ts";
import { readBatchColumn } from "../../table/readBatchColumn.ts";
import type { Table } from "../../table/table.ts";
import type { BatchColumn, ColumnDefinition } from "../../types.ts";
import { checkChange, checkColumns } from "../changes/checkChange.ts";
import { convertBatchColumn } from "./convertBatchColumn.ts";
import type { StoredTable } from "./storedTable.ts";

export interface Retyping {
  readonly drop?: readonly string[];
  readonly retype: readonly ColumnDefinition[];
  readonly add?: readonly ColumnDefinition[];
}

/**
 * Drops, retypes and adds columns of a table in one step. Meanwhile, the table's rows and columns must not change.
 * @throws {EngineError} COLUMN_UNKNOWN, COLUMN_EXISTS, COLUMN_TYPE, STORE_OUT_OF_MEMORY, STORE_WRITE_FAILED
 */
export async function retypeColumns(
  stored: StoredTable,
  memory: Memory,
  { drop = [], retype, add = [] }: Retyping,
): Promise<void> {
  const { table } = stored;
  await stored.untilDone();
  const kept = checkChange(table.name, table.definitions, { drop });
  checkColumns(table.name, [], retype);
  for (const { name } of retype)
    if (!kept.some((column) => column.name === name))
      throw new EngineError("COLUMN_UNKNOWN", [table.name, name]);
  checkChange(table.name, kept, { add });
  const typeOf = ({ definition }: Column) =>
    retype.find(({ name, type }) => name === definition.name && type !== definition.type)?.type;
  const reservedBytes = retype.length * table.rowCount * 8;
  memory.reserve(reservedBytes);
  try {
    await stored.rewrite(
      (column) => !drop.includes(column.definition.name) && typeOf(column) !== undefined,
      (columns) => {
        const made: Column[] = [];
        const create = (definition: ColumnDefinition, rowCount: number) => {
          const column = table.createColumn(definition, rowCount);
          made.push(column);
          return column;
        };
        try {
          const present = columns.filter(({ definition }) => !drop.includes(definition.name));
          return [
            ...present.map((column) => {
              const type = typeOf(column);
              if (type === undefined) return column;
              const { definition } = column;
              return convert(memory, column, create({ ...definition, type }, 0), table);
            }),
            ...add.map((definition) => create(definition, table.rowCount)),
          ];
        } catch (error) {
          for (const column of made) column.close();
          throw error;
        }
      },
    );
  } finally {
    memory.release(reservedBytes);
  }
}

function convert(memory: Memory, from: Column, to: Column, { rowCount, deleted }: Table): Column {
  const { name, type } = to.definition;
  for (let start = 0; start < rowCount; start += rowGroupSize) {
    const column = readBatchColumn(memory, from, start / rowGroupSize);
    if (deleted) clearDeleted(column, deleted, start);
    const converted = convertBatchColumn(column, type, { name, firstRow: start });
    to.append(converted, Math.min(rowGroupSize, rowCount - start));
  }
  return to;
}

/** Sets deleted rows to null, because a value that nobody sees must not prevent a conversion. */
function clearDeleted(column: BatchColumn, deleted: DeletedRows, firstRow: number): void {
  const rowCount = column.type === "text" ? column.codes.length : column.values.length;
  for (let row = 0; row < rowCount; row++) {
    if (!isDeletedRow(deleted, firstRow + row)) continue;
    if (column.type === "text") column.codes[row] = -1;
    else column.values[row] = NaN;
  }
}
