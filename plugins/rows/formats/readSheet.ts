import { PluginError } from "../../protocol/index.ts";
import { isoValue, numberValue, parseNumber } from "./cellValue.ts";
import { columnOf, letterOf } from "./columnLetters.ts";
import type { ShownAs } from "./numberFormats.ts";
import type { Zip } from "./openZip.ts";
import type { CellRange } from "./parseRange.ts";
import type { Book } from "./readBook.ts";
import { readXml } from "./readXml.ts";
import { unescaped } from "./sharedTexts.ts";
import type { UnpackBudget } from "./unpackBudget.ts";

/** A row of a sheet that has cells. */
export interface SheetRow {
  /** Number of the row in the sheet, from 1. */
  readonly number: number;
  /** The cells (numbers, bigint values, strings, Dates and booleans), by column index. */
  readonly cells: ReadonlyMap<number, unknown>;
  /** How the numbers of the row are shown, and its errors, by column index. Plain numbers are left out. */
  readonly shown: ReadonlyMap<number, ShownAs | "error">;
  /** Indexes of the columns whose formula has no stored value. */
  readonly formulas: ReadonlySet<number>;
  /** Whether the workbook hides the row, for example by a filter. */
  readonly isHidden: boolean;
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
  /** The inline string, whose runs are joined. */
  inline?: string;
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
  /** The cells to read. All other cells are skipped. */
  readonly range: CellRange;
  /**
   * The merged ranges. They are stored at the end of a sheet, so they are complete only after all rows have been read.
   */
  readonly merged: MergedRanges;
  readonly budget: UnpackBudget;
}

/** Reads the rows of a sheet that have cells in its range, while its bytes arrive. */
export async function* readSheet(
  { zip, book, path, range, merged, budget }: OpenSheet,
  signal: AbortSignal,
): AsyncGenerator<SheetRow> {
  let ready: SheetRow[] = [];
  let [number, rowCount, next] = [0, 0, 0];
  let cells = new Map<number, unknown>();
  let shown = noneShown;
  let formulas = new Set<number>();
  let cell: OpenCell | undefined;
  let isRowHeld = false;
  let isHidden = false;
  let open: "value" | "inline" | undefined;
  let phoneticDepth = 0;
  const parts = readXml(zip.stream(path, signal), {
    open(name, attributes) {
      if (name === "row" || name === "c") budget.take(elementBytes);
      if (name === "row") {
        rowCount++;
        if (rowCount > mostRows)
          throw wrongCell(number, `more than ${mostRows.toLocaleString("en")} rows before it`);
        number = rowNumberOf(attributes["r"], number);
        isRowHeld = number > range.firstRow && number <= range.lastRow + 1;
        isHidden = /^(?:1|true)$/.test(attributes["hidden"] ?? "");
        [next, cells, shown, formulas] = [0, new Map(), noneShown, new Set()];
      } else if (name === "c") {
        const column = attributes["r"] === undefined ? next : columnOf(attributes["r"]);
        next = column + 1;
        if (!(column >= 0 && column < mostColumns))
          throw wrongCell(number, "a cell outside the columns of Excel");
        if (!isRowHeld || column < range.firstColumn || column > range.lastColumn) return;
        const { t: type = "n", s = "0" } = attributes;
        cell = { column, type, style: Number(s), isFormula: false };
      } else if (name === "f" && cell) cell.isFormula = true;
      else if (name === "rPh") phoneticDepth++;
      else if (cell && (name === "v" || (name === "t" && phoneticDepth === 0))) {
        open = name === "v" ? "value" : "inline";
        cell[open] ??= "";
      } else if (name === "mergeCell") {
        merged.count++;
        if (merged.first.length < namedRanges) merged.first.push(attributes["ref"] ?? "");
      }
    },
    text(text) {
      if (!open || !cell) return;
      const whole = (cell[open] ?? "") + text;
      cell[open] = whole;
      if (whole.length > mostCellLength)
        throw wrongCell(
          number,
          `a cell of more than ${mostCellLength.toLocaleString("en")} characters`,
        );
    },
    close(name) {
      if (name === "v" || name === "t") open = undefined;
      else if (name === "rPh") phoneticDepth--;
      else if (name === "c" && cell) {
        const { column } = cell;
        if (cells.has(column) || formulas.has(column))
          throw wrongCell(number, `two cells in column ${letterOf(column)}`);
        if (isUnsaved(cell)) formulas.add(column);
        else {
          const value = valueOf(cell, book, number);
          if (value !== null) cells.set(column, value);
          const style = cell.type === "e" ? "error" : book.styles[cell.style];
          const isNumber = cell.type === "n" && style !== undefined && style !== "number";
          if (value !== null && (isNumber || style === "error")) {
            if (shown === noneShown) shown = new Map();
            shown.set(column, style);
          }
        }
        cell = undefined;
      } else if (name === "row" && cells.size + formulas.size > 0)
        ready.push({ number, cells, shown, formulas, isHidden });
    },
  });
  for await (const _ of parts) {
    signal.throwIfAborted();
    const rows = ready;
    ready = [];
    yield* rows;
    // Rows after the range are not parsed. The merged ranges, which follow the rows, are then not known.
    if (number > range.lastRow + 1) return;
  }
}

const noneShown = new Map<number, ShownAs | "error">();

function rowNumberOf(given: string | undefined, before: number): number {
  const number = given === undefined ? before + 1 : Number(given);
  if (Number.isInteger(number) && number >= 1 && number <= mostRows) return number;
  throw wrongCell(before, "a row after it that is outside the rows of Excel");
}

/** Returns whether a formula has no stored value. Only a formula of a string may have an empty value. */
function isUnsaved({ isFormula, type, value, inline }: OpenCell): boolean {
  if (type === "inlineStr" && inline !== undefined) return false;
  return isFormula && (value === undefined || (value.trim() === "" && type !== "str"));
}

function valueOf(cell: OpenCell, book: Book, row: number): unknown {
  const { type, style, column, inline } = cell;
  const value = type === "inlineStr" ? (inline ?? cell.value) : cell.value;
  if (value === undefined) return null;
  switch (type) {
    case "s": {
      if (value.trim() === "") return null;
      const text = book.sharedTexts[Number(value)];
      if (text === undefined)
        throw wrongCell(row, `a reference to a missing string in column ${letterOf(column)}`);
      return text;
    }
    case "str":
    case "inlineStr":
      return unescaped(value);
    case "b":
      return /^(1|true)$/i.test(value.trim());
    case "d":
      return isoValue(value.trim());
    // An error such as #DIV/0! is read as a string. If the column contains numbers, reading then fails with a message
    // that names the row.
    case "e":
      return value;
    default: {
      const text = value.trim();
      if (text === "") return null;
      const number = parseNumber(text);
      if (number === undefined)
        throw wrongCell(
          row,
          `${JSON.stringify(value.slice(0, 40))} in column ${letterOf(column)}, which must be a number`,
        );
      if (typeof number === "bigint") return number;
      return numberValue(number, book.styles[style] ?? "number", book.calendar);
    }
  }
}

function wrongCell(row: number, what: string): PluginError {
  return new PluginError("PLUGIN_UNREADABLE", [`row ${row} has ${what}`]);
}
