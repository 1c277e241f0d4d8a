import { dictionaryEntryBytes, packedTextsBytes } from "../column/dictionary.ts";
import type { EncodedBatch } from "../ingest/messages.ts";
import type { TableChange } from "../table/table.ts";
import type { NamedBatch } from "../types.ts";

/** A frame's length is 32 bits. */
export const largestFrameBytes = 2 ** 31;

/** Bounds the bytes that a change may come to hold. */
export function estimateBytes(change: TableChange, columnCount: number, rowCount: number): number {
  return (
    (change.rows ? estimateRows(change.rows, columnCount) : 0) +
    (change.encoded ?? []).reduce((sum, batch) => sum + estimateEncoded(batch, columnCount), 0) +
    (change.add ? change.add.length * Math.min(rowCount, 65_536) * 8 : 0)
  );
}

function estimateRows({ batch }: NamedBatch, columnCount: number): number {
  const texts = batch.columns.reduce((sum, vector) => {
    if (vector.type !== "text") return sum;
    return sum + vector.dictionary.reduce((bytes, text) => bytes + dictionaryEntryBytes(text), 0);
  }, 0);
  return batch.rowCount * columnCount * 8 + texts;
}

function estimateEncoded({ rowCount, columns }: EncodedBatch, columnCount: number): number {
  const texts = columns.reduce(
    (sum, { vector }) => sum + (vector.type === "text" ? packedTextsBytes(vector.texts) : 0),
    0,
  );
  return rowCount * columnCount * 8 + texts;
}
