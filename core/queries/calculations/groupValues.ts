import { evaluate } from "../../../plugins/meanings/index.ts";
import type { Batch, BatchColumn, Cell } from "../../../plugins/protocol/index.ts";
import type { GroupValues } from "../boundQuery.ts";
import { cellAt, columnAt } from "../finish/batchCells.ts";
import { combineCells } from "../finish/combineCells.ts";
import { visitInSlices } from "../finish/visitInSlices.ts";

/**
 * Returns the share or the rank of each group. `vectors` contains the column of the groups for each column of the
 * query. Groups without a value have neither. Equal values have equal ranks, and the next rank is skipped for each
 * further one. O(groups * log groups). Yields after each short step.
 */
export function* groupValues(
  groups: Batch,
  vectors: readonly number[],
  { kind, value, per, isAscending }: GroupValues,
): Generator<undefined, BatchColumn> {
  const { rowCount } = groups;
  const columnOf = (index: number) => columnAt(groups, vectors[index] ?? -1);
  const cells: Cell[] = [];
  yield* visitInSlices(rowCount, (row) => {
    const cell = evaluate(value, (index) => cellAt(columnOf(Number(index)), row));
    cells.push(typeof cell === "number" ? cell : null);
  });
  const { places } = yield* combineCells(
    groups,
    per.map((index) => vectors[index] ?? -1),
  );
  const byPlace = new Map<number, number[]>();
  yield* visitInSlices(rowCount, (row) => {
    if (cells[row] === null) return;
    const place = places[row] ?? 0;
    const rows = byPlace.get(place);
    if (rows) rows.push(row);
    else byPlace.set(place, [row]);
  });
  const values = new Float64Array(rowCount).fill(Number.NaN);
  const numberAt = (row: number) => Number(cells[row]);
  for (const rows of byPlace.values()) {
    if (kind === "share_of_total") {
      const total = sumOf(rows.map(numberAt));
      if (total !== 0 && Number.isFinite(total))
        for (const row of rows) values[row] = numberAt(row) / total;
    } else {
      const sign = isAscending ? 1 : -1;
      rows.sort((one, other) => sign * (numberAt(one) - numberAt(other)));
      let rank = 1;
      for (const [index, row] of rows.entries()) {
        if (index > 0 && numberAt(row) !== numberAt(rows[index - 1] ?? row)) rank = index + 1;
        values[row] = rank;
      }
    }
    yield;
  }
  return { type: "numeric", values };
}

/**
 * Adds up numbers by Neumaier's compensated summation (https://doi.org/10.1002/zamm.19740540106), in ascending order,
 * so that the result does not depend on the order of the groups.
 */
function sumOf(numbers: readonly number[]): number {
  let sum = 0;
  let lost = 0;
  for (const number of numbers.toSorted((one, other) => one - other)) {
    const next = sum + number;
    lost += Math.abs(sum) >= Math.abs(number) ? sum - next + number : number - next + sum;
    sum = next;
  }
  return sum + lost;
}
