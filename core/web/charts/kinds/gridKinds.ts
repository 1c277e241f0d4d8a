import { drawHeatTable } from "./drawHeatTable.ts";
import type { FamilyKinds } from "./drawKind.ts";
import { drawPivot } from "./drawPivot.ts";

/** Kinds drawn as rows and columns. A page loads these kinds together. */
export const gridKinds: FamilyKinds<"grids"> = { heatTable: drawHeatTable, pivot: drawPivot };
