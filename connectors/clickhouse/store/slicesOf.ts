import type { NamedBatch } from "../../../plugins/protocol/index.ts";

/**
 * Splits rows into at most `most` parts of nearly equal size. Each part contains at least `least` rows, or all rows if
 * there are fewer. The parts share memory with the rows.
 */
export function slicesOf(
  { columnIds, batch }: NamedBatch,
  most: number,
  least: number,
): readonly NamedBatch[] {
  const { rowCount, columns } = batch;
  const count = Math.max(1, Math.min(most, Math.floor(rowCount / least)));
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((rowCount * index) / count);
    const to = Math.floor((rowCount * (index + 1)) / count);
    const cut = columns.map((column) =>
      column.type === "hierarchy"
        ? { ...column, codes: column.codes.subarray(from, to) }
        : { ...column, values: column.values.subarray(from, to) },
    );
    return { columnIds, batch: { rowCount: to - from, columns: cut } };
  });
}
