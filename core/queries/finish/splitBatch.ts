import { packedHierarchy, type Batch, type BatchColumn } from "../../../plugins/protocol/index.ts";

/** Number of numbers per slice, which a store loads in a few milliseconds. */
const usualNumbers = 200_000;
/** A string costs as much as this many numbers, because it is looked up both here and in the store, unless packed. */
const numbersPerText = 10;

/** Splits a batch into batches with fewer rows, each with only the strings of its own rows. O(cells). */
export function* splitBatch(batch: Batch, numbers: number = usualNumbers): Generator<Batch> {
  const { rowCount, columns } = batch;
  const rowCost = columns.reduce(
    (cost, column) => cost + (column.type === "hierarchy" && !column.utf8 ? numbersPerText : 1),
    0,
  );
  const step = Math.max(1000, Math.floor(numbers / Math.max(1, rowCost)));
  if (rowCount <= step) {
    if (rowCount > 0) yield batch;
    return;
  }
  for (let from = 0; from < rowCount; from += step) {
    const to = Math.min(rowCount, from + step);
    yield { rowCount: to - from, columns: columns.map((vector) => sliceOf(vector, from, to)) };
  }
}

function sliceOf(vector: BatchColumn, from: number, to: number): BatchColumn {
  if (vector.type !== "hierarchy") return { ...vector, values: vector.values.subarray(from, to) };
  if (vector.utf8) return packedHierarchy(vector.codes.subarray(from, to), vector.utf8);
  const own = new Map<number, number>();
  const dictionary: string[] = [];
  const codes = new Int32Array(to - from).fill(-1);
  for (let row = from; row < to; row++) {
    const code = vector.codes[row]!;
    if (code < 0) continue;
    let ownCode = own.get(code);
    if (ownCode === undefined) {
      own.set(code, (ownCode = dictionary.length));
      dictionary.push(vector.dictionary[code]!);
    }
    codes[row - from] = ownCode;
  }
  return { type: "hierarchy", codes, dictionary };
}
