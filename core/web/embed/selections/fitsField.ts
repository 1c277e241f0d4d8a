import { binRange, type ChartCell, type SlotField } from "../../charts/index.ts";

/** Returns whether a filter can compare a column with a value that a page or an address gives. */
export function fitsField({ type, bins }: SlotField, cell: ChartCell): boolean {
  if (cell === null) return true;
  if (bins !== undefined) return binRange(cell) !== undefined;
  if (type === "numeric") return typeof cell === "number";
  return typeof cell === "string" && (type !== "datetime" || !Number.isNaN(Date.parse(cell)));
}
