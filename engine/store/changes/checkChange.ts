import { checkNumbers } from "../../column/checkNumbers.ts";
import { DecodedTextColumn } from "../../column/decodedTextColumn.ts";
import { EngineError } from "../../errors.ts";
import type { TableChange } from "../../table/table.ts";
import type { ColumnDefinition, DataType, NamedBatch, BatchColumn } from "../../types.ts";

const dataTypes: readonly DataType[] = ["number", "datetime", "text"];

/**
 * Checks a change and returns the columns that result from it.
 * @throws {EngineError} COLUMN_UNKNOWN, COLUMN_EXISTS, COLUMN_TYPE, BATCH_MALFORMED, VALUE_NOT_FINITE
 */
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
  // Values that a worker has encoded are valid, but the table may have changed meanwhile.
  for (const { columns: encoded } of change.encoded ?? [])
    checkFilled(
      table,
      after,
      encoded.map(({ name, column }) => ({ name, type: column.type })),
    );
  return after;
}

/**
 * Checks columns that are added to a table.
 * @throws {EngineError} COLUMN_EXISTS, BATCH_MALFORMED
 */
export function checkColumns(
  table: string,
  present: readonly ColumnDefinition[],
  added: readonly ColumnDefinition[],
): void {
  const names = new Set(present.map(({ name }) => name));
  for (const { name, type } of added) {
    if (typeof name !== "string" || name === "")
      throw new EngineError("BATCH_MALFORMED", ["column names must be non-empty strings"]);
    if (!dataTypes.includes(type))
      throw new EngineError("BATCH_MALFORMED", [
        `the column ${name} must have one of the types ${dataTypes.join(", ")}, not ${String(type)}`,
      ]);
    if (names.has(name)) throw new EngineError("COLUMN_EXISTS", [table, name]);
    names.add(name);
  }
}

/**
 * Checks rows against the columns of their table.
 * @throws {EngineError} BATCH_MALFORMED, COLUMN_UNKNOWN, COLUMN_TYPE, VALUE_NOT_FINITE
 */
function checkRows(table: string, columns: readonly ColumnDefinition[], rows: NamedBatch): void {
  checkShape(rows);
  checkFilled(
    table,
    columns,
    rows.names.map((name, index) => ({ name, type: rows.batch.columns[index].type })),
  );
  checkValues(rows);
}

/**
 * Checks rows without regard to their table.
 * @throws {EngineError} BATCH_MALFORMED, VALUE_NOT_FINITE
 */
export function checkBatch(rows: NamedBatch): void {
  checkShape(rows);
  checkValues(rows);
}

/**
 * Checks the form of rows, but not their values.
 * @throws {EngineError} BATCH_MALFORMED
 */
export function checkShape({ names, batch }: NamedBatch): void {
  const { rowCount } = batch;
  if (!Number.isSafeInteger(rowCount) || rowCount < 0)
    throw new EngineError("BATCH_MALFORMED", ["rowCount must be a whole number of at least 0"]);
  if (names.length !== batch.columns.length)
    throw new EngineError("BATCH_MALFORMED", [
      `there are ${names.length} names for ${batch.columns.length} columns`,
    ]);
  names.forEach((name, index) => {
    const column = batch.columns[index];
    const length = column.type === "text" ? column.codes.length : column.values.length;
    if (length !== rowCount)
      throw new EngineError("BATCH_MALFORMED", [
        `the column ${name} has ${length} values, not ${rowCount}`,
      ]);
  });
}

function checkValues({ names, batch }: NamedBatch): void {
  names.forEach((name, index) => checkBatchColumn(name, batch.columns[index]));
}

/**
 * Checks that the columns of new rows exist in the table and appear at most once.
 * @throws {EngineError} BATCH_MALFORMED, COLUMN_UNKNOWN, COLUMN_TYPE
 */
export function checkFilled(
  table: string,
  columns: readonly ColumnDefinition[],
  filled: readonly ColumnDefinition[],
): void {
  const seen = new Set<string>();
  for (const { name, type } of filled) {
    if (seen.has(name))
      throw new EngineError("BATCH_MALFORMED", [`the column ${name} appears twice`]);
    seen.add(name);
    const column = columns.find((candidate) => candidate.name === name);
    if (!column) throw new EngineError("COLUMN_UNKNOWN", [table, name]);
    if (type !== column.type)
      throw new EngineError("COLUMN_TYPE", [name, column.type, String(type)]);
  }
}

function checkBatchColumn(name: string, column: BatchColumn): void {
  if (column instanceof DecodedTextColumn) return;
  if (column.type === "text") {
    const { codes, dictionary } = column;
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row];
      if (
        code >= dictionary.length ||
        code < -1 ||
        (code >= 0 && typeof dictionary[code] !== "string")
      )
        throw new EngineError("BATCH_MALFORMED", [
          `row ${row} of column ${name} has the code ${code}, which is not in its dictionary`,
        ]);
    }
    return;
  }
  checkNumbers(name, column);
}
