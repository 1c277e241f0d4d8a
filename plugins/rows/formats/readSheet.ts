import { PluginError } from "../../protocol/index.ts";
import type { Zip } from "./openZip.ts";
import { unescaped, type Book } from "./readBook.ts";
import { readXml } from "./readXml.ts";
import type { UnpackBudget } from "./unpackBudget.ts";

/** A row of a sheet. */
export interface SheetRow {
  /** Number of the row in the sheet, from 1. */
  readonly number: number;
  /** The cells (numbers, strings, Dates and booleans), by column index. */
  readonly cells: ReadonlyMap<number, unknown>;
  /** Indexes of the columns whose formula has no stored value. */
  readonly formulas: ReadonlySet<number>;
}

/** The merged cells of a sheet: the number of ranges, and the first few ranges. */
export interface MergedRanges {
  count: number;
  readonly first: string[];
}

/** Maximum number of merged ranges that a note names. */
const namedRanges = 5;

interface OpenCell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  value?: string;
  isFormula: boolean;
}

/** Maximum number of columns in Excel (support.microsoft.com, "Excel specifications and limits"). */
const mostColumns = 16_384;
const mostRows = 1_048_576;
/** Minimum size of a decoded row or cell in bytes. */
const elementBytes = 16;
const mostCellLength = 2 ** 20;

/** A sheet of a workbook. */
export interface OpenSheet {
  readonly zip: Zip;
  readonly book: Book;
  readonly path: string;
  /**
   * The merged ranges. They are stored at the end of a sheet, so they are complete only after all rows have been read.
   */
  readonly merged: MergedRanges;
  readonly budget: UnpackBudget;
}

/** Reads the rows of a sheet while its bytes arrive. */
export async function* readSheet(
  { zip, book, path, merged, budget }: OpenSheet,
  signal: AbortSignal,
): AsyncGenerator<SheetRow> {
  let ready: SheetRow[] = [];
  let number = 0;
  let rowCount = 0;
  let next = 0;
  let cells = new Map<number, unknown>();
  let formulas = new Set<number>();
  let cell: OpenCell | undefined;
  let isValue = false;
  const parts = readXml(zip.stream(path, signal), {
    open(name, attributes) {
      if (name === "row" || name === "c") budget.take(elementBytes);
      if (name === "row") {
        rowCount++;
        if (rowCount > mostRows)
          throw wrongCell(number, `more than ${mostRows.toLocaleString("en")} rows before it`);
        number = Number(attributes["r"] ?? number + 1);
        [next, cells, formulas] = [0, new Map(), new Set()];
      } else if (name === "c") {
        const column = attributes["r"] === undefined ? next : columnOf(attributes["r"]);
        next = column + 1;
        if (!(column >= 0 && column < mostColumns))
          throw wrongCell(number, "a cell outside the columns of Excel");
        const { t: type = "n", s = "0" } = attributes;
        cell = { column, type, style: Number(s), isFormula: false };
      } else if (name === "f" && cell) cell.isFormula = true;
      else if (cell && (name === "v" || name === "t")) {
        isValue = true;
        cell.value ??= "";
      } else if (name === "rPh") isValue = false;
      else if (name === "mergeCell") {
        merged.count++;
        if (merged.first.length < namedRanges) merged.first.push(attributes["ref"] ?? "");
      }
    },
    text(text) {
      if (!isValue || !cell) return;
      cell.value = (cell.value ?? "") + text;
      if (cell.value.length > mostCellLength)
        throw wrongCell(
          number,
          `a cell of more than ${mostCellLength.toLocaleString("en")} characters`,
        );
    },
    close(name) {
      if (name === "v" || name === "t") isValue = false;
      else if (name === "c" && cell) {
        if (cell.value === undefined && cell.isFormula) formulas.add(cell.column);
        else {
          const value = valueOf(cell, book, number);
          if (value !== null) cells.set(cell.column, value);
        }
        cell = undefined;
      } else if (name === "row") ready.push({ number, cells, formulas });
    },
  });
  for await (const _ of parts) {
    signal.throwIfAborted();
    const rows = ready;
    ready = [];
    yield* rows;
  }
}

function valueOf({ type, style, value, column }: OpenCell, book: Book, row: number): unknown {
  switch (type) {
    case "s": {
      if (value === undefined || value.trim() === "") return null;
      const text = book.sharedTexts[Number(value)];
      if (text === undefined)
        throw wrongCell(row, `a reference to a missing string in column ${column + 1}`);
      return text;
    }
    case "str":
    case "inlineStr":
      return value === undefined ? null : unescaped(value);
    case "b":
      return value === undefined ? null : value.trim() === "1";
    case "d":
      return value === undefined ? null : value.trim();
    // An error such as #DIV/0! is read as a string. If the column contains numbers, reading then fails with a message
    // that names the row.
    case "e":
      return value ?? null;
    default: {
      if (value === undefined || value.trim() === "") return null;
      const number = Number(value);
      if (!Number.isFinite(number))
        throw wrongCell(row, `${JSON.stringify(value.slice(0, 40))}, which must be a number`);
      const shown = book.styles[style] ?? "number";
      if (shown === "date") return dateOf(number, book.is1904, row);
      return shown === "time" ? timeOf(number) : number;
    }
  }
}

const dayMs = 86_400_000;
const lastSerial = 2_958_466;

/**
 * Converts a number of days since the start of a calendar to a Date. The calendar of 1900 contains a February 29 that
 * never existed, so one day is added to dates before that day.
 */
function dateOf(serial: number, is1904: boolean, row: number): Date {
  if (serial < 0 || serial >= lastSerial || (!is1904 && Math.floor(serial) === 60))
    throw wrongCell(row, `${serial} as a date, which its calendar does not have`);
  const start = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30);
  return new Date(start + Math.round(serial * dayMs));
}

/**
 * Converts a fraction of a day. A time of day becomes a string; a duration of a day or more remains a number of days.
 */
function timeOf(serial: number): unknown {
  if (serial < 0 || serial >= 1) return serial;
  return new Date(Math.round(serial * dayMs)).toISOString().slice(11, 19);
}

function columnOf(reference: string): number {
  let column = 0;
  for (const letter of reference.replace(/\d+$/, "").toUpperCase())
    column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

function wrongCell(row: number, what: string): PluginError {
  return new PluginError("PLUGIN_UNREADABLE", [`row ${row} has ${what}`]);
}
