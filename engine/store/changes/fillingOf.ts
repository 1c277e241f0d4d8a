import { DecodedTextColumn } from "../../column/decodedTextColumn.ts";
import type { EncodedBatch } from "../../column/encodedBatch.ts";
import type { EncodedBatchColumn } from "../../column/encodedBatchColumn.ts";
import { hashTexts } from "../../column/texts/hashTexts.ts";
import { packTexts } from "../../column/texts/packTexts.ts";
import type { TableChange } from "../../table/table.ts";
import type { BatchColumn, NamedBatch } from "../../types.ts";
import { checkBatch } from "./checkChange.ts";

/**
 * Returns the change that adds rows. If a thread has decoded the strings of a column, the change contains the rows in
 * encoded form.
 * @throws {EngineError} BATCH_MALFORMED, VALUE_NOT_FINITE
 */
export function fillingOf(rows: NamedBatch): Pick<TableChange, "rows" | "encoded"> {
  const { batch } = rows;
  if (!batch.columns.some((column) => column instanceof DecodedTextColumn)) return { rows };
  return { encoded: [encodeRows(rows)] };
}

/**
 * Encodes rows on the main thread.
 * @throws {EngineError} BATCH_MALFORMED, VALUE_NOT_FINITE
 */
export function encodeRows(rows: NamedBatch): EncodedBatch {
  checkBatch(rows);
  const { names, batch } = rows;
  const columns = names.map((name, index) => ({
    name,
    isDate: false,
    isEmpty: false,
    column: toEncoded(batch.columns[index]),
  }));
  return { rowCount: batch.rowCount, columns };
}

function toEncoded(column: BatchColumn): EncodedBatchColumn {
  if (column.type !== "text") return column;
  const { type, codes } = column;
  if (column instanceof DecodedTextColumn) return { type, codes, texts: column.texts };
  const packed = packTexts(column.dictionary);
  return { type, codes, texts: { ...packed, hashes: hashTexts(packed.bytes, packed.ends) } };
}
