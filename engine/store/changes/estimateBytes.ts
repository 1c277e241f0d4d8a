import { dictionaryEntryBytes, packedTextsBytes } from "../../column/texts/dictionary.ts";
import type { EncodedBatch } from "../../column/encodedBatch.ts";
import type { SealedBatch } from "../../column/sealedBatch.ts";
import type { TableChange } from "../../table/table.ts";
import type { NamedBatch } from "../../types.ts";

/** Returns an upper bound for the number of bytes that a change needs in memory. */
export function estimateBytes(change: TableChange, columnCount: number, rowCount: number): number {
  return (
    (change.rows ? estimateRows(change.rows, columnCount) : 0) +
    (change.encoded ?? []).reduce((sum, batch) => sum + estimateBatch(batch, columnCount), 0) +
    (change.add ? change.add.length * Math.min(rowCount, 65_536) * 8 : 0) +
    (change.deletes ? rowCount / 8 + 65_536 : 0)
  );
}

function estimateRows({ batch }: NamedBatch, columnCount: number): number {
  const texts = batch.columns.reduce((sum, column) => {
    if (column.type !== "text") return sum;
    return sum + column.dictionary.reduce((bytes, text) => bytes + dictionaryEntryBytes(text), 0);
  }, 0);
  return batch.rowCount * columnCount * 8 + texts;
}

/** Returns an upper bound for the number of bytes that rows need in memory. */
export function estimateBatch(
  { rowCount, columns }: EncodedBatch | SealedBatch,
  columnCount: number,
): number {
  let texts = 0;
  for (const { column } of columns)
    if ("texts" in column && column.texts) texts += packedTextsBytes(column.texts);
  return rowCount * columnCount * 8 + texts;
}
