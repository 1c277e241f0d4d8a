import Type, { type Static } from "typebox";
import { aggregationDefinitions } from "./aggregations.ts";
import type { AnsweredBatch, Batch, BatchColumn } from "./batch.ts";
import type { Column } from "./dataset.ts";
import { DataType, isDataType } from "./dataType.ts";
import { createDictionary } from "./createDictionary.ts";
import { createNumbers } from "./createNumbers.ts";
import { PluginError } from "./errors.ts";
import { exactNumber } from "./exactNumber.ts";
import { Cell } from "./filter.ts";
import type { QueryColumn } from "./queryColumn.ts";
import { millisecondsOf } from "./instant.ts";
import { isObject } from "./isObject.ts";
import { named, readonlyArray } from "./schemas.ts";

/** The name and the logical type of an answer column. Conversions need both. */
export interface CellColumn extends Pick<Column, "id" | "type"> {
  /**
   * Whether the numbers are results of an aggregation. They are then rounded to the nearest double. Other whole numbers
   * beyond 2^53 are refused if they would lose digits, because two identifiers could become one.
   * @default false
   */
  readonly isComputed?: boolean;
  /**
   * Whether nobody reads the cells. They are then not checked, and become nulls.
   * @default false
   */
  readonly isUnread?: boolean;
}

/** A column of cells on the wire. `type` precedes `values`, so that a reader knows how to read them. */
export const CellsOfColumn = Type.Object({
  /** Logical type of the cells. */
  type: DataType,
  /** One cell per row. */
  values: readonlyArray(Cell),
});
export interface CellsOfColumn extends Readonly<Static<typeof CellsOfColumn>> {}

/** A columnar answer of `manifold-1`: columns of cells, of equal length. */
export const ColumnarAnswer = Type.Object({
  /** Number of rows, which is the number of cells in each column. */
  rowCount: Type.Integer({ minimum: 0 }),
  /**
   * Indexes into the query's `filters`: the filters that were applied exactly. The host applies the others itself.
   * Absent: none.
   */
  applied_filters: Type.Optional(readonlyArray(Type.Integer({ minimum: 0 }))),
  /** One column per entry of the query's `columns`, in that order. A basic plugin sends all columns of the dataset. */
  columns: readonlyArray(named<CellsOfColumn>(CellsOfColumn)),
});
export interface ColumnarAnswer extends Readonly<Static<typeof ColumnarAnswer>> {}

/**
 * Returns the type of a query column's cells: numeric under every aggregation except `min` and `max`, otherwise the
 * column's own type. `column` is absent for `*`.
 */
export function answerType(queried: QueryColumn, column: CellColumn | undefined): DataType {
  if (isComputed(queried)) return "numeric";
  return column?.type ?? queried.type ?? "hierarchy";
}

/** Returns the column in which the answer to a query column arrives. `column` is absent for `*`. */
export function answerColumn(
  queried: QueryColumn,
  column: Pick<CellColumn, "id" | "type"> | undefined,
): CellColumn {
  return {
    id: queried.column_id,
    type: answerType(queried, column),
    isComputed: isComputed(queried),
  };
}

/** Returns whether a query column contains results of an aggregation instead of values of the column. */
export function isComputed({ aggregation }: QueryColumn): boolean {
  return aggregation !== undefined && aggregationDefinitions[aggregation].result === "number";
}

/**
 * Converts wire cells to a column. Null and undefined become null. Numeric cells may be numbers, bigints or strings
 * that contain a number; whole numbers beyond 2^53 that would lose digits are refused. Datetime cells may be ISO
 * strings (UTC if they name no zone) or Dates. Text cells may also be booleans or numbers. O(cells).
 * @throws {PluginError} PLUGIN_BAD_ANSWER that names the column, the row and the kind of the first wrong cell
 */
export function columnOfCells(column: CellColumn, cells: readonly unknown[]): BatchColumn {
  const builder = createColumnBuilder(column);
  for (const cell of cells) builder.append(cell);
  return builder.column();
}

/** Lists the cells of a column: numbers, strings, ISO instants or nulls. O(rows). */
export function cellsOfColumn(column: BatchColumn): Cell[] {
  switch (column.type) {
    case "numeric":
      return Array.from(column.values, (value) => (Number.isNaN(value) ? null : value));
    case "datetime":
      return Array.from(column.values, (value) =>
        Number.isNaN(value) ? null : new Date(value).toISOString(),
      );
    case "hierarchy":
      return Array.from(column.codes, (code) => column.dictionary[code] ?? null);
  }
}

/**
 * Converts rows to a batch. The cells of a row are in the order of `columns`. O(cells).
 * @throws {PluginError} PLUGIN_BAD_ANSWER that names the first row with the wrong number of cells, or the first wrong
 * cell
 */
export function batchOfRows(columns: readonly CellColumn[], rows: readonly unknown[]): Batch {
  const builder = createBatchBuilder(columns);
  for (const row of rows) builder.append(row);
  return builder.batch();
}

/**
 * Collects rows one at a time, for sources that stream their rows. It accepts the same rows and cells as `batchOfRows`.
 */
export interface BatchBuilder {
  /** Number of rows appended so far. */
  readonly rowCount: number;
  /**
   * Adds a row, an array with one cell per column.
   * @throws {PluginError} PLUGIN_BAD_ANSWER for a wrong row or cell
   */
  append(row: unknown): void;
  /** Returns the rows as a batch. */
  batch(): Batch;
  /**
   * Like `batch`, but yields to the event loop every few milliseconds. The builder is empty afterwards. While it runs,
   * the columns take up to twice their size in memory.
   */
  batchInTurns(yieldTurn: YieldTurn): Promise<Batch>;
}

/** Waits for a later turn of the event loop. */
export type YieldTurn = () => Promise<void>;

/** Creates an empty `BatchBuilder`. */
export function createBatchBuilder(columns: readonly CellColumn[]): BatchBuilder {
  const builders = columns.map(createColumnBuilder);
  let rowCount = 0;
  return {
    get rowCount() {
      return rowCount;
    },
    append(row) {
      if (!Array.isArray(row)) throw wrong(`row ${rowCount} must be an array, not ${kindOf(row)}`);
      if (row.length !== builders.length)
        throw wrong(
          `row ${rowCount} has ${row.length} cells; it must have one per column, ${builders.length}`,
        );
      builders.forEach((builder, index) => builder.append(row[index]));
      rowCount += 1;
    },
    batch: () => ({ rowCount, columns: builders.map((builder) => builder.column()) }),
    async batchInTurns(yieldTurn) {
      const columns: BatchColumn[] = [];
      for (const builder of builders) columns.push(await builder.columnInTurns(yieldTurn));
      return { rowCount, columns };
    },
  };
}

/** Lists the rows of a batch, with cells in the order of its columns. O(cells). */
export function rowsOfBatch(batch: Batch): Cell[][] {
  const columns = batch.columns.map(cellsOfColumn);
  return Array.from({ length: batch.rowCount }, (_, row) =>
    columns.map((cells) => cells[row] ?? null),
  );
}

/** Converts a batch to the columnar answer of `manifold-1`. O(cells). */
export function columnarOfBatch(batch: AnsweredBatch): ColumnarAnswer {
  return {
    rowCount: batch.rowCount,
    ...(batch.applied && { applied_filters: batch.applied }),
    columns: batch.columns.map((column) => ({
      type: column.type,
      values: cellsOfColumn(column),
    })),
  };
}

/**
 * Parses a columnar answer of `manifold-1` and checks every member. `columnIds` names the columns in messages.
 * O(cells).
 * @throws {PluginError} PLUGIN_BAD_ANSWER that names the first wrong member
 */
export function batchOfColumnar(answer: unknown, columnIds: readonly string[]): Batch {
  const { rowCount, columns } = memberOf(answer, "the columnar answer");
  if (typeof rowCount !== "number" || !Number.isSafeInteger(rowCount) || rowCount < 0)
    throw wrong(
      `rowCount must be a whole number of at least 0, not ${typeof rowCount === "number" ? rowCount : kindOf(rowCount)}`,
    );
  if (!Array.isArray(columns)) throw wrong(`columns must be an array, not ${kindOf(columns)}`);
  return {
    rowCount,
    columns: columns.map((column: unknown, index) => {
      const id = columnIds[index] ?? `#${index}`;
      const { type, values } = memberOf(column, `column ${quote(id)}`);
      if (!isDataType(type))
        throw wrong(`the type of column ${quote(id)} must be numeric, datetime or hierarchy`);
      if (!Array.isArray(values) || values.length !== rowCount)
        throw wrong(`column ${quote(id)} must have rowCount (${rowCount}) values`);
      return columnOfCells({ id, type }, values);
    }),
  };
}

/** Collects the cells of one column. */
export interface ColumnBuilder {
  /** Number of cells appended so far. */
  readonly length: number;
  /**
   * Adds a cell.
   * @throws {PluginError} PLUGIN_BAD_ANSWER for a wrong cell
   */
  append(cell: unknown): void;
  /** Returns the cells as a column. */
  column(): BatchColumn;
  /** Like `column`, but yields to the event loop every few milliseconds. The builder is empty afterwards. */
  columnInTurns(yieldTurn: YieldTurn): Promise<BatchColumn>;
}

/** Creates an empty `ColumnBuilder`. It accepts the same cells as `columnOfCells`. */
export function createColumnBuilder(column: CellColumn): ColumnBuilder {
  if (column.isUnread) return createNullBuilder(column);
  if (column.type === "hierarchy") return createTextBuilder(column);
  const { type } = column;
  const read = type === "numeric" ? numberReader(column) : millisecondsOfCell;
  const expected = type === "numeric" ? "a number" : "an ISO 8601 datetime";
  const numbers = createNumbers((length) => new Float64Array(length));
  return {
    get length() {
      return numbers.length;
    },
    append(cell) {
      const value = cell === null || cell === undefined ? Number.NaN : read(cell);
      if (value === undefined)
        throw isWholeNumber(cell)
          ? lostDigits(column, numbers.length, cell)
          : wrongCell(column, numbers.length, cell, expected);
      numbers.append(value);
    },
    column: () => ({ type, values: numbers.joined() }),
    columnInTurns: async (yieldTurn) => ({ type, values: await numbers.joinedInTurns(yieldTurn) }),
  };
}

/** Creates a builder that turns every cell into null. */
function createNullBuilder({ type }: CellColumn): ColumnBuilder {
  let length = 0;
  const column = (): BatchColumn =>
    type === "hierarchy"
      ? { type, codes: new Int32Array(length).fill(-1), dictionary: [] }
      : { type, values: new Float64Array(length).fill(Number.NaN) };
  return {
    get length() {
      return length;
    },
    append() {
      length++;
    },
    column,
    columnInTurns: async () => column(),
  };
}

function createTextBuilder(column: CellColumn): ColumnBuilder {
  const texts = createDictionary();
  const codes = createNumbers((length) => new Int32Array(length));
  return {
    get length() {
      return codes.length;
    },
    append(cell) {
      if (cell === null || cell === undefined) {
        codes.append(-1);
        return;
      }
      const text = textOf(cell);
      if (text === undefined) throw wrongCell(column, codes.length, cell, "a string");
      codes.append(texts.codeOf(text));
    },
    column: () => ({ type: "hierarchy", codes: codes.joined(), dictionary: texts.dictionary }),
    columnInTurns: async (yieldTurn) => ({
      type: "hierarchy",
      codes: await codes.joinedInTurns(yieldTurn),
      dictionary: texts.dictionary,
    }),
  };
}

const numberText = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Whole numbers of more digits are not converted to bigints, because they are beyond the range of doubles. */
const mostDigits = 400;

function numberReader({ isComputed }: CellColumn): (cell: unknown) => number | undefined {
  return (cell) => {
    let value: number | undefined;
    if (typeof cell === "number") value = cell;
    else if (typeof cell === "bigint") value = isComputed ? Number(cell) : exactNumber(cell);
    else if (typeof cell === "string" && numberText.test(cell.trim())) {
      value = Number(cell);
      if (!isComputed && !Number.isSafeInteger(value) && isWholeNumber(cell))
        value = exactNumber(BigInt(cell.trim().replace("+", "")));
    }
    return value !== undefined && Number.isFinite(value) ? value : undefined;
  };
}

function isWholeNumber(cell: unknown): cell is bigint | string {
  if (typeof cell === "bigint") return true;
  return typeof cell === "string" && cell.length <= mostDigits && /^\s*[+-]?\d+\s*$/.test(cell);
}

function millisecondsOfCell(cell: unknown): number | undefined {
  if (typeof cell === "string") return millisecondsOf(cell);
  return cell instanceof Date && !Number.isNaN(cell.getTime()) ? cell.getTime() : undefined;
}

function textOf(cell: unknown): string | undefined {
  if (typeof cell === "string") return cell;
  if (typeof cell === "boolean" || typeof cell === "bigint") return String(cell);
  if (typeof cell === "number" && Number.isFinite(cell)) return String(cell);
  if (cell instanceof Date && !Number.isNaN(cell.getTime())) return cell.toISOString();
  return undefined;
}

function memberOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw wrong(`${what} must be an object, not ${kindOf(value)}`);
  return value;
}

function wrongCell(column: CellColumn, row: number, cell: unknown, expected: string): PluginError {
  return wrong(`row ${row} of column ${quote(column.id)} must be ${expected}, not ${kindOf(cell)}`);
}

function lostDigits({ id }: CellColumn, row: number, cell: bigint | string): PluginError {
  return wrong(
    `row ${row} of column ${quote(id)} must be a number that keeps its digits, not ${String(cell).trim().slice(0, 40)}; ` +
      "for whole numbers beyond 2^53, declare the column as hierarchy and send strings",
  );
}

function wrong(detail: string): PluginError {
  return new PluginError("PLUGIN_BAD_ANSWER", [detail]);
}

const quote = (id: string): string => JSON.stringify(id.slice(0, 200));

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "an array";
  if (value instanceof Date) return "an invalid Date";
  if (typeof value === "object") return "an object";
  if (typeof value === "string") return "another string";
  if (typeof value === "number") return Number.isFinite(value) ? "a number" : String(value);
  return `a ${typeof value}`;
}
