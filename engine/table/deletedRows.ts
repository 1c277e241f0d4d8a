import { rowGroupSize } from "../column/segment/segment.ts";

/**
 * The deleted rows of one version of a table. Their values stay in the columns until the table is folded. The arrays
 * are in shared memory and never change, so that threads and earlier versions can read them.
 */
export interface DeletedRows {
  /** Number of deleted rows. */
  readonly count: number;
  /** One bit per row, lowest bit first: 1 if the row is deleted. Covers whole row groups. */
  readonly bits: Uint8Array;
  /** Number of deleted rows per row group. */
  readonly counts: Uint32Array;
}

const groupBytes = rowGroupSize / 8;

/**
 * Returns the deleted rows of the next version. `rowNumbers` are rows of the table, counted from 0, in any order; rows
 * that are deleted already are ignored. Copies the bits of `before`: O(rows / 8).
 */
export function deleteRows(
  before: DeletedRows | undefined,
  rowNumbers: Float64Array,
  rowCount: number,
): DeletedRows {
  const groupCount = Math.ceil(rowCount / rowGroupSize);
  const bits = new Uint8Array(new SharedArrayBuffer(groupCount * groupBytes));
  const counts = new Uint32Array(new SharedArrayBuffer(groupCount * 4));
  if (before) {
    bits.set(before.bits);
    counts.set(before.counts);
  }
  let count = before?.count ?? 0;
  for (const row of rowNumbers) {
    const at = Math.floor(row / 8);
    const bit = 1 << (row % 8);
    if (bits[at] & bit) continue;
    bits[at] |= bit;
    counts[Math.floor(row / rowGroupSize)]++;
    count++;
  }
  return { count, bits, counts };
}

/** Lists the deleted rows in ascending order. */
export function listDeletedRows({ count, bits }: DeletedRows): Float64Array {
  const rowNumbers = new Float64Array(count);
  let found = 0;
  for (let at = 0; at < bits.length && found < count; at++)
    for (let bit = 0, byte = bits[at]; byte !== 0; bit++, byte >>= 1)
      if (byte & 1) rowNumbers[found++] = at * 8 + bit;
  return rowNumbers;
}

/** Returns whether a row is deleted. `row` is counted from 0. */
export function isDeletedRow({ bits }: DeletedRows, row: number): boolean {
  return (bits[Math.floor(row / 8)] & (1 << (row % 8))) !== 0;
}

/** Number of deleted rows in a row group; 0 for row groups that were added later. */
export function deletedInGroup({ counts }: DeletedRows, rowGroup: number): number {
  return counts[rowGroup] ?? 0;
}

/** Bytes that the deleted rows of a table use in memory. */
export function deletedBytes(deleted: DeletedRows | undefined): number {
  return deleted ? deleted.bits.byteLength + deleted.counts.byteLength : 0;
}
