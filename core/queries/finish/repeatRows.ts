import type { Frequencies } from "../queryPlan.ts";
import { PluginError, type Batch, type BatchColumn } from "../../../plugins/protocol/index.ts";

/**
 * Expands groups into rows, repeating each group as often as its row count states. Returns undefined if there would be
 * more than `most` rows. O(rows * columns).
 * @throws {PluginError} PLUGIN_BAD_ANSWER for row counts that are not integers, and for groups with more values than
 * rows
 */
export function repeatRows(
  groups: Batch,
  { count, columns }: Frequencies,
  most: number,
): Batch | undefined {
  const counts = wholeNumbers(groups, count);
  let rowCount = 0;
  for (const each of counts) rowCount += each;
  if (rowCount > most) return undefined;
  const repeated = columns.map((column): BatchColumn => {
    if (column.kind === "spread") return spread(groups, column, counts, rowCount);
    const vector = vectorAt(groups, column.vector);
    return column.kind === "value"
      ? repeatedVector(vector, counts, rowCount)
      : vectorOfFirsts(vector, counts, rowCount);
  });
  return { rowCount, columns: repeated };
}

function repeatedVector(vector: BatchColumn, counts: Float64Array, rowCount: number): BatchColumn {
  if (vector.type === "hierarchy") {
    const codes = new Int32Array(rowCount);
    fillRuns(codes, vector.codes, counts);
    return { ...vector, codes };
  }
  const values = new Float64Array(rowCount);
  fillRuns(values, vector.values, counts);
  return { ...vector, values };
}

function fillRuns(
  into: Float64Array | Int32Array,
  from: Float64Array | Int32Array,
  counts: Float64Array,
): void {
  let row = 0;
  counts.forEach((count, group) => {
    into.fill(from[group] ?? 0, row, row + count);
    row += count;
  });
}

function vectorOfFirsts(vector: BatchColumn, counts: Float64Array, rowCount: number): BatchColumn {
  if (vector.type === "hierarchy") {
    const codes = new Int32Array(rowCount).fill(-1);
    fillFirsts(codes, vector.codes, counts);
    return { ...vector, codes };
  }
  const values = new Float64Array(rowCount).fill(Number.NaN);
  fillFirsts(values, vector.values, counts);
  return { ...vector, values };
}

function fillFirsts(
  into: Float64Array | Int32Array,
  from: Float64Array | Int32Array,
  counts: Float64Array,
): void {
  let row = 0;
  counts.forEach((count, group) => {
    if (count > 0) into[row] = from[group] ?? 0;
    row += count;
  });
}

/** Writes the sum in the first row of a group, and a zero in one further row for each further value. */
function spread(
  groups: Batch,
  { sum, count }: { readonly sum?: number; readonly count?: number },
  counts: Float64Array,
  rowCount: number,
): BatchColumn {
  const sums = sum === undefined ? undefined : numbersAt(groups, sum);
  const known = count === undefined ? undefined : wholeNumbers(groups, count);
  const values = new Float64Array(rowCount).fill(Number.NaN);
  let row = 0;
  counts.forEach((most, group) => {
    const valueCount = known ? (known[group] ?? 0) : Math.min(most, 1);
    if (valueCount > most) throw bad(`${valueCount} values in a group of ${most} rows`);
    if (valueCount > 0) {
      const first = sums ? (sums[group] ?? Number.NaN) : 0;
      if (known && Number.isNaN(first)) throw bad(`no sum for ${valueCount} values`);
      values.fill(0, row, row + valueCount);
      values[row] = first;
    }
    row += most;
  });
  return { type: "numeric", values };
}

function wholeNumbers(groups: Batch, index: number): Float64Array {
  const values = numbersAt(groups, index);
  for (const value of values)
    if (!Number.isSafeInteger(value) || value < 0) throw bad(`${value} as the number of rows`);
  return values;
}

function numbersAt(groups: Batch, index: number): Float64Array {
  const vector = vectorAt(groups, index);
  if (vector.type === "hierarchy")
    throw bad(`strings in column ${index + 1}, which must contain numbers`);
  return vector.values;
}

function vectorAt(groups: Batch, index: number): BatchColumn {
  const vector = groups.columns[index];
  if (vector) return vector;
  throw bad(
    `the answer has ${groups.columns.length} columns, but column ${index + 1} was requested`,
  );
}

function bad(what: string): PluginError {
  return new PluginError("PLUGIN_BAD_ANSWER", [what]);
}
