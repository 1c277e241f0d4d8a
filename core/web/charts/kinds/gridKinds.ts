import { drawHeatTable } from "./drawHeatTable.ts";
import { drawPivot } from "./drawPivot.ts";

/** Kinds of rows by columns; a page loads them together. */
export const gridKinds = { heatTable: drawHeatTable, pivot: drawPivot };
