import type { Batch, Cell } from "../../../plugins/protocol/index.ts";
import { cellAt, columnAt } from "./batchCells.ts";
import { visitInSlices } from "./visitInSlices.ts";

/** The combinations of the cells of some columns. */
export interface Combinations {
  readonly count: number;
  /** For each row, the number of its combination. */
  readonly places: Uint32Array;
  /** The first row of each combination. */
  readonly rows: readonly number[];
}

/**
 * Numbers the combinations of some columns in the order in which they occur. Without columns, there is exactly one
 * combination.
 */
export function* combineCells(
  groups: Batch,
  columns: readonly number[],
): Generator<undefined, Combinations> {
  const { rowCount } = groups;
  let combinations: Combinations = { count: 1, places: new Uint32Array(rowCount), rows: [] };
  for (const column of columns) {
    const vector = columnAt(groups, column);
    const own = new Map<Cell, number>();
    const known = new Map<number, number>();
    const places = new Uint32Array(rowCount);
    const rows: number[] = [];
    const before = combinations.places;
    yield* visitInSlices(rowCount, (row) => {
      const cell = cellAt(vector, row);
      const code = own.get(cell) ?? own.size;
      own.set(cell, code);
      const pair = code * combinations.count + (before[row] ?? 0);
      let place = known.get(pair);
      if (place === undefined) known.set(pair, (place = rows.push(row) - 1));
      places[row] = place;
    });
    combinations = { count: rows.length, places, rows };
  }
  return combinations;
}
