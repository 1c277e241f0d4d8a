import { totalsOf } from "../item/totalsOf.ts";
import type { Frame } from "../frame/frame.ts";
import { drawGrid } from "./drawGrid.ts";

/**
 * Draws as many rows as fit. Numbers are right-aligned, and other values are left-aligned. A line below the table says
 * how many rows do not fit.
 */
export function drawTable(frame: Frame): void {
  const columns = frame.columns.map((column, cell) => ({ ...column, cell }));
  const { rows } = frame;
  const { totals, item, leftOut } = frame.request;
  if (!totals && rows.length > 0 && totalsOf(item)) frame.notes.push(frame.words.noTotals);
  drawGrid(frame, { columns, rows, totals, leftOutCount: leftOut?.all?.count });
}
