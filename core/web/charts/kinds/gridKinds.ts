import { arrangePivot, compareNumbers, compareValues } from "../frame/arrangePivot.ts";
import { missesPivotTotals, pivotTotalsOf } from "../item/pivotTotals.ts";
import { pivotLines } from "../frame/pivotLines.ts";
import { drawHeatTable } from "./drawHeatTable.ts";
import type { FamilyKinds } from "./drawKind.ts";
import { drawPivot } from "./drawPivot.ts";
import { drawTable } from "./drawTable.ts";

/** Kinds drawn as rows and columns. A page loads these kinds together. */
export const gridKinds: FamilyKinds<"grids"> = {
  heatTable: drawHeatTable,
  pivot: drawPivot,
  table: drawTable,
};

/** The functions that arrange the answer of a pivot table, for pictures and for tables on pages. */
export const pivotParts = {
  arrangePivot,
  compareNumbers,
  compareValues,
  missesPivotTotals,
  pivotLines,
  pivotTotalsOf,
};

/** The functions that arrange the answer of a pivot table. */
export type PivotParts = typeof pivotParts;
