import type { ChartCell } from "../../charts/index.ts";

/** Returns a key for a list of cells. Equal cells have equal keys. */
export function keyOf(cells: readonly (ChartCell | undefined)[]): string {
  return JSON.stringify(
    cells.map((cell) => (typeof cell === "object" && cell !== null ? cell.id : (cell ?? null))),
  );
}
