import { PluginError } from "../../protocol/index.ts";
import { remediesOf } from "../remedy.ts";
import { letterOf } from "./columnLetters.ts";
import type { FileNote } from "./fileNote.ts";
import type { Zip } from "./openZip.ts";
import { parseRange, type CellRange } from "./parseRange.ts";
import { partReader, relationsOf } from "./readBook.ts";

/** Maximum number of tables of a sheet that are looked at. */
const mostTables = 20;

/**
 * Returns remarks about tables of a sheet (`Format as Table` in Excel) whose totals row is among the rows that are
 * read: sums of the sheet would count its values twice. A table that cannot be read has no remark.
 */
export async function readTotals(
  zip: Zip,
  sheetPath: string,
  { range, signal }: { readonly range: CellRange; readonly signal: AbortSignal },
): Promise<readonly FileNote[]> {
  const notes: FileNote[] = [];
  const read = partReader(zip, signal);
  try {
    const relations = await relationsOf(sheetPath, read);
    const tables = [...relations.values()].filter(({ kind }) => kind === "table");
    for (const { path } of tables.slice(0, mostTables))
      await read(path, {
        open(name, { ref = "", totalsRowCount = "0", displayName = "" }) {
          const cells = parseRange(ref);
          const count = Number(totalsRowCount);
          if (name !== "table" || !cells || !(count > 0)) return;
          const { firstRow, lastRow, firstColumn, lastColumn } = cells;
          if (lastRow < range.firstRow || lastRow > range.lastRow) return;
          const rest = `${letterOf(firstColumn)}${firstRow + 1}:${letterOf(lastColumn)}${lastRow + 1 - count}`;
          notes.push({
            kind: "remark",
            message:
              `row ${lastRow + 1} is the totals row of the table ${JSON.stringify(displayName.slice(0, 100).toWellFormed())}; ` +
              `to leave it out, set range to ${rest}`,
            remedies: remediesOf("range", [rest]),
          });
        },
      });
  } catch (failure) {
    if (!(failure instanceof PluginError)) throw failure;
  }
  return notes;
}
