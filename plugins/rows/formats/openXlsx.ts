import { PluginError } from "../../protocol/index.ts";
import { readValue } from "../readValue.ts";
import { CorrectableError } from "../correctableError.ts";
import { remediesOf } from "../remedy.ts";
import { columnNames } from "./columnNames.ts";
import { letterOf } from "./columnLetters.ts";
import { detectForms, type DetectedForms } from "./detectForms.ts";
import type { FileNote } from "./fileNote.ts";
import type { FileColumn, FileTable, OpenTables, ReadOptions } from "./fileTable.ts";
import { findHeaderRow } from "./findHeaderRow.ts";
import { foundForms } from "./foundSettings.ts";
import { openZip, type Zip } from "./openZip.ts";
import type { CellRange } from "./parseRange.ts";
import { readBook, type Book, type ListedSheet } from "./readBook.ts";
import { readTotals } from "./readTotals.ts";
import { readSheet, type MergedRanges, type SheetRow } from "./readSheet.ts";
import type { Settings } from "./settings.ts";
import { createShownColumns } from "./shownColumns.ts";

const blockRows = 1000;
/** Number of rows with values from which the header is detected. */
const headRows = 50;
/** Number of rows with values from which the forms of strings are detected. */
const startRows = 1000;
/** Minimum size of a column's description in bytes. */
const columnBytes = 100;
const hourMs = 3_600_000;

/**
 * Opens an Excel workbook. Each sheet is a table, and the first row with values in its range contains the names of its
 * columns. A sheet that cannot be read has no columns, and reading its rows fails.
 */
export const openXlsx: OpenTables = async (options) => {
  const { settings, sheet: wanted } = options;
  await refuseOldForm(options);
  const zip = await openZip(options);
  const book = await readBook(zip, options);
  const only = wanted ?? settings.sheet;
  const sheets = book.sheets.filter(({ name }) => only === undefined || name === only);
  if (sheets.length === 0 && wanted === undefined)
    throw new PluginError("PLUGIN_UNREADABLE", [
      `it has no sheet ${quoted(only ?? "")}; its sheets are ${book.sheets.map(({ name }) => quoted(name)).join(", ")}`,
    ]);
  const tables: FileTable[] = [];
  for (const sheet of sheets) tables.push(await openSheet(sheet, zip, book, options));
  return tables;
};

/** The first bytes of the container in which Excel stores old workbooks, and workbooks with a password. */
const containerStart = "d0cf11e0a1b11ae1";

async function refuseOldForm({ source, signal }: ReadOptions): Promise<void> {
  const start = await source.read(0, containerStart.length / 2, signal);
  if (Buffer.from(start).toString("hex") === containerStart)
    throw new PluginError("PLUGIN_UNREADABLE", [
      "it is a workbook with a password, or of Excel 97 to 2003; save it as .xlsx without a password",
    ]);
}

async function openSheet(
  sheet: ListedSheet,
  zip: Zip,
  book: Book,
  { settings, budget, signal, known }: ReadOptions,
): Promise<FileTable> {
  const range = rangeOf(settings);
  const read = (merged: MergedRanges, until: AbortSignal) =>
    readSheet({ zip, book, path: sheet.path, range, merged, budget }, until);
  const { rows: head, failure } = await headOf(read({ count: 0, first: [] }, signal));
  const [first] = head;
  const width = first ? widthOf(first, range) : 0;
  const start = range.firstColumn;
  const header = Array.from({ length: width }, (_, index) =>
    settings.hasHeader ? nameOf(first?.cells.get(start + index)) : letterOf(start + index),
  );
  budget.take(columnBytes * width);
  const { names, notes: nameNotes } = columnNames(header);
  const likely = settings.hasHeader ? findHeaderRow(head.slice(0, headRows)) : undefined;
  const hint: FileNote | undefined =
    likely && first && likely.number > first.number
      ? {
          kind: "remark",
          message: `row ${likely.number} looks like the header; set skip_rows to ${likely.number - 1}`,
          remedies: remediesOf("skip_rows", [likely.number - 1]),
        }
      : undefined;
  const notes: (FileNote | string)[] = [
    ...(sheet.isHidden ? ["the sheet is hidden in the workbook"] : []),
    ...(hint === undefined ? [] : [hint]),
    ...(known ? [] : await readTotals(zip, sheet.path, { range, signal })),
    ...nameNotes,
  ];
  const second = secondTable(head, hint);
  if (second) notes.push(second);
  const fixedCount = notes.length;
  const { timeZone } = settings.forms;
  const shown = createShownColumns(names);
  const cells = settings.hasHeader ? head.slice(1) : head;
  const detected = detectForms(
    names.map((_, index) => cells.map((row) => stringOf(row, start + index))),
    { settings },
  );
  return {
    sheet: sheet.name,
    columns: names.map((id, index) => columnOf(id, detected[index])),
    textsSpellNumbers: false,
    found: foundForms(detected),
    notes,
    numberSubtypes: () => shown.subtypes(),
    async *rows(wanted, _, until) {
      if (failure !== undefined) throw failure;
      let isHeader = settings.hasHeader;
      let rows: unknown[][] = [];
      let places: number[] = [];
      const taken = () => {
        const [block, blockPlaces] = [rows, places];
        [rows, places] = [[], []];
        return { rows: block, placeOf: (index: number) => `row ${blockPlaces[index]}` };
      };
      const merged: MergedRanges = { count: 0, first: [] };
      try {
        for await (const row of read(merged, until)) {
          if (isHeader) {
            isHeader = false;
            continue;
          }
          refuseBeyond(row, start + width, first, hint);
          if (!known) shown.add(row, start);
          rows.push(wanted.map((index) => valueOf(row, start + index, timeZone !== undefined)));
          places.push(row.number);
          if (rows.length === blockRows) yield taken();
        }
        if (rows.length > 0) yield taken();
      } finally {
        // The description reads some of the rows, or all.
        if (notes.length === fixedCount) notes.push(...shown.notes(), ...mergedNotes(merged));
      }
    },
  };
}

/**
 * Returns a column with the forms of its strings. Strings of digits, such as 2000, identify things in a workbook, which
 * has numbers of its own.
 */
function columnOf(id: string, detected: DetectedForms | undefined): FileColumn {
  if (!detected) return { id };
  const { forms, caution, isMarked } = detected;
  return { id, forms, spellsNumbers: isMarked, ...(caution && { caution }) };
}

/** Returns the string of a cell. Null for other values, and for what Excel shows instead of a value. */
function stringOf({ cells, shown }: SheetRow, index: number): string | null {
  const value = cells.get(index);
  return typeof value === "string" && !shown.has(index) ? value : null;
}

/** Returns the cells that the settings select. Both `range` and `skip_rows` count the rows of the sheet. */
function rangeOf({ range, skippedRows }: Settings): CellRange {
  return {
    firstRow: Math.max(range?.firstRow ?? 0, skippedRows),
    lastRow: range?.lastRow ?? Infinity,
    firstColumn: range?.firstColumn ?? 0,
    lastColumn: range?.lastColumn ?? Infinity,
  };
}

/** The first rows of a sheet with values, and the failure that prevented reading more of them. */
interface SheetHead {
  readonly rows: readonly SheetRow[];
  readonly failure?: PluginError;
}

async function headOf(rows: AsyncIterable<SheetRow>): Promise<SheetHead> {
  const head: SheetRow[] = [];
  try {
    for await (const row of rows) {
      head.push(row);
      if (head.length === startRows) break;
    }
  } catch (failure) {
    if (failure instanceof PluginError) return { rows: head, failure };
    throw failure;
  }
  return { rows: head };
}

/** Returns the number of columns: those of the range, or those up to the last value of the first row. */
function widthOf({ cells }: SheetRow, { firstColumn, lastColumn }: CellRange): number {
  if (lastColumn !== Infinity) return lastColumn - firstColumn + 1;
  return Math.max(-1, ...cells.keys()) + 1 - firstColumn;
}

/** Returns the name of a column. A date becomes an ISO string. */
function nameOf(value: unknown): string {
  const name = readValue(value, "hierarchy", {});
  return typeof name === "string" ? name.trim() : "";
}

/**
 * Returns a remark about a second table below the first: after an empty row, a row of only strings, in a column in
 * which the first table has numbers.
 */
function secondTable(head: readonly SheetRow[], hint: FileNote | undefined): FileNote | undefined {
  const [first] = head;
  const isNumber = (value: unknown) => typeof value === "number" || value instanceof Date;
  const index = head.findIndex(({ number, cells }, at) => {
    const before = head[at - 1];
    return (
      at > 1 &&
      at < head.length - 1 &&
      before !== undefined &&
      number > before.number + 1 &&
      cells.size > 1 &&
      Array.from(cells.values()).every((value) => typeof value === "string") &&
      Array.from(cells.keys()).some((column) => isNumber(before.cells.get(column)))
    );
  });
  const last = head[index - 1];
  if (index < 0 || !first || !last || hint) return undefined;
  const columns = Array.from(first.cells.keys());
  const rest =
    `${letterOf(Math.min(...columns))}${first.number}:` +
    `${letterOf(Math.max(...columns))}${last.number}`;
  return {
    kind: "remark",
    message: `row ${head[index]?.number} looks like the header of a second table; to read only the first, set range to ${rest}`,
    remedies: remediesOf("range", [rest]),
  };
}

function refuseBeyond(
  { cells, formulas, number }: SheetRow,
  end: number,
  first: SheetRow | undefined,
  hint: FileNote | undefined,
): void {
  const rest = `A${first?.number ?? 1}:${letterOf(Math.max(0, end - 1))}`;
  for (const indexes of [cells.keys(), formulas])
    for (const index of indexes)
      if (index >= end)
        throw new CorrectableError(
          "PLUGIN_UNREADABLE",
          [
            `row ${number} has a value in column ${letterOf(index)}, which has no name in row ${first?.number ?? 1}; ` +
              (hint?.message ?? `name the column, or set range, such as ${rest}`),
          ],
          { remedies: hint?.remedies ?? remediesOf("range", [rest]) },
        );
}

/** Returns the value of a cell. A formula has no value if its result was never stored. */
function valueOf(
  { cells, formulas, shown, number }: SheetRow,
  index: number,
  isZoned: boolean,
): unknown {
  if (formulas.has(index))
    throw new PluginError("PLUGIN_UNREADABLE", [
      `row ${number} has a formula without a stored value in column ${letterOf(index)}; save the file in a ` +
        "program that calculates formulas",
    ]);
  const value = cells.get(index) ?? null;
  if (typeof value === "number" && shown.get(index) === "duration") return value / hourMs;
  // A datetime without an offset is in the time zone of the settings. A date is not.
  if (isZoned && value instanceof Date && (shown.get(index) === "datetime" || isTimed(value)))
    return value.toISOString().slice(0, -1);
  return value;
}

const isTimed = (at: Date): boolean => at.getTime() % 86_400_000 !== 0;

function mergedNotes({ count, first }: MergedRanges): readonly string[] {
  if (count === 0) return [];
  const more = count > first.length ? ` and ${count - first.length} more` : "";
  return [
    `merged cells: ${first.join(", ")}${more}; the first cell of each contains the value, the others are null`,
  ];
}

const quoted = (name: string): string => JSON.stringify(name.slice(0, 40).toWellFormed());
