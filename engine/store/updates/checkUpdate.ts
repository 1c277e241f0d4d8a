import { EngineError } from "../../errors.ts";
import type { ColumnDefinition, UpdateRequest } from "../../types.ts";
import { checkFilled, checkShape } from "../changes/checkChange.ts";

/**
 * Checks an update against the columns of its table.
 * @throws {EngineError} BATCH_MALFORMED, COLUMN_UNKNOWN, COLUMN_TYPE
 */
export function checkUpdate(
  { table, rows, key, missing, deletes = false }: UpdateRequest,
  columns: readonly ColumnDefinition[],
): void {
  checkShape(rows);
  checkFilled(
    table,
    columns,
    rows.names.map((name, index) => ({ name, type: rows.batch.columns[index].type })),
  );
  if (key.length === 0)
    throw new EngineError("BATCH_MALFORMED", ["the key must name at least one column"]);
  for (const name of key)
    if (!rows.names.includes(name))
      throw new EngineError("BATCH_MALFORMED", [`the rows lack the key column ${name}`]);
  if (deletes && missing === "insert")
    throw new EngineError("BATCH_MALFORMED", ["rows that are deleted cannot be inserted"]);
}
