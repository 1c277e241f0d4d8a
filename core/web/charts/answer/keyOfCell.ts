import type { ChartCell } from "./chartRequest.ts";

/** Returns the key of a cell: equal for equal values, and different for different values. */
export function keyOfCell(cell: ChartCell | undefined): string {
  if (cell === null || cell === undefined) return "\0";
  return typeof cell === "object" ? cell.id : String(cell);
}
