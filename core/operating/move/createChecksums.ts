import { setImmediate } from "node:timers/promises";
import type { Batch, BatchColumn } from "../../../plugins/protocol/index.ts";

/** Computes checksums of rows. The order of the rows does not affect the checksums. */
export interface Checksums {
  /** Adds rows, whose `columns` must be in the order of the column ids. Yields to the event loop after each column. */
  add(batch: Batch): Promise<void>;
  /** Returns the row count, a checksum for each column under its id, and a checksum of whole rows under `rows`. */
  sums(): ReadonlyMap<string, string>;
}

const nullHash = 0x2545f491;

/**
 * Creates 64-bit checksums. A column's checksum is the sum of the hashes of its cells, and the checksum of rows is the
 * sum of the hashes of the rows. O(cells + characters).
 */
export function createChecksums(columnIds: readonly string[]): Checksums {
  const totals = columnIds.map(() => [0, 0] as [number, number]);
  const rowTotals: [number, number] = [0, 0];
  let rowCount = 0;
  return {
    async add(batch) {
      rowCount += batch.rowCount;
      for (const seed of [0, 1] as const) {
        const rows = new Int32Array(batch.rowCount);
        for (const [index, column] of batch.columns.entries()) {
          await setImmediate();
          const hashes = hashesOf(column, seed);
          let total = totals[index]![seed];
          for (let row = 0; row < hashes.length; row++) {
            total = (total + hashes[row]!) | 0;
            rows[row] = mixed(Math.imul(rows[row]!, 31) + hashes[row]!);
          }
          totals[index]![seed] = total;
        }
        for (const hash of rows) rowTotals[seed] = (rowTotals[seed] + hash) | 0;
      }
    },
    sums: () =>
      new Map([
        ["count", String(rowCount)],
        ...columnIds.map((id, index) => [id, String(totals[index])] as const),
        ["rows", String(rowTotals)],
      ]),
  };
}

function hashesOf(column: BatchColumn, seed: number): Int32Array {
  if (column.type === "hierarchy") {
    const { codes, dictionary } = column;
    const known = Int32Array.from(dictionary, (text) => hashOfText(text, seed));
    return Int32Array.from(codes, (code) => (code < 0 ? nullHash : known[code]!));
  }
  const { values } = column;
  const value = new Float64Array(1);
  const [bits, hashes] = [new Int32Array(value.buffer), new Int32Array(values.length)];
  for (let row = 0; row < values.length; row++) {
    value[0] = values[row]! + 0;
    hashes[row] = Number.isNaN(value[0]) ? nullHash : mixed(bits[0]! ^ mixed(bits[1]! + seed + 1));
  }
  return hashes;
}

/** Returns the FNV-1a hash of the UTF-16 units of a string. */
function hashOfText(text: string, seed: number): number {
  let hash = 0x811c9dc5 + seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mixed(hash);
}

/** Applies the final mix of MurmurHash3 (Austin Appleby, public domain). */
function mixed(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
