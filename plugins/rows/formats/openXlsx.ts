import { PluginError } from "../../protocol/index.ts";
import { columnNames } from "./columnNames.ts";
import type { FileTable, OpenTables, ReadOptions } from "./fileTable.ts";
import { openZip, type Zip } from "./openZip.ts";
import { readBook, type Book } from "./readBook.ts";
import { readSheet, type MergedRanges, type SheetRow } from "./readSheet.ts";

const blockRows = 1000;
/** Minimum size of a column's description in bytes. */
const columnBytes = 100;

/** Opens an Excel workbook. Each sheet is a table, and the first row with values contains the names of its columns. */
export const openXlsx: OpenTables = async (options) => {
  const { settings, budget } = options;
  const zip = await openZip(options);
  const book = await readBook(zip, options);
  const tables: FileTable[] = [];
  for (const sheet of book.sheets) {
    const first = await firstRow(zip, book, sheet.path, options);
    const width = first ? Math.max(-1, ...first.cells.keys()) + 1 : 0;
    const header = Array.from({ length: width }, (_, index) =>
      settings.hasHeader ? String(first?.cells.get(index) ?? "") : letterOf(index),
    );
    budget.take(columnBytes * width);
    const { names, notes } = columnNames(header);
    const all = [...notes];
    tables.push({
      sheet: sheet.name,
      columns: names.map((id) => ({ id })),
      textsSpellNumbers: false,
      notes: all,
      async *rows(wanted, _, until) {
        let isHeader = settings.hasHeader;
        let rows: unknown[][] = [];
        let places: number[] = [];
        const taken = () => {
          const [block, blockPlaces] = [rows, places];
          [rows, places] = [[], []];
          return { rows: block, placeOf: (index: number) => `row ${blockPlaces[index]}` };
        };
        const merged: MergedRanges = { count: 0, first: [] };
        for await (const row of readSheet({ zip, book, path: sheet.path, merged, budget }, until)) {
          if (row.cells.size + row.formulas.size === 0) continue;
          if (isHeader) {
            isHeader = false;
            continue;
          }
          refuseBeyond(row, width);
          rows.push(wanted.map((index) => valueOf(row, index)));
          places.push(row.number);
          if (rows.length === blockRows) yield taken();
        }
        if (rows.length > 0) yield taken();
        if (merged.count > 0 && all.length === notes.length) all.push(mergedNote(merged));
      },
    });
  }
  return tables;
};

async function firstRow(
  zip: Zip,
  book: Book,
  path: string,
  { signal, budget }: ReadOptions,
): Promise<SheetRow | undefined> {
  for await (const row of readSheet(
    { zip, book, path, merged: { count: 0, first: [] }, budget },
    signal,
  ))
    if (row.cells.size > 0) return row;
  return undefined;
}

function refuseBeyond({ cells, number }: SheetRow, width: number): void {
  for (const index of cells.keys())
    if (index >= width)
      throw new PluginError("PLUGIN_UNREADABLE", [
        `row ${number} has a value in column ${letterOf(index)}, which has no name in the first row`,
      ]);
}

/** Returns the value of a cell. A formula has no value if its result was never stored. */
function valueOf({ cells, formulas, number }: SheetRow, index: number): unknown {
  if (formulas.has(index))
    throw new PluginError("PLUGIN_UNREADABLE", [
      `row ${number} has a formula without a stored value in column ${letterOf(index)}; save the file in a ` +
        "program that calculates formulas",
    ]);
  return cells.get(index) ?? null;
}

function mergedNote({ count, first }: MergedRanges): string {
  const more = count > first.length ? ` and ${count - first.length} more` : "";
  return `merged cells: ${first.join(", ")}${more}; the first cell of each contains the value, the others are null`;
}

function letterOf(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : letterOf(Math.floor(index / 26) - 1) + letter;
}
