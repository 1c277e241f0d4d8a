import { isUtf8 } from "node:buffer";
import { checkNumbers } from "../column/checkNumbers.ts";
import type { EncodedBatch } from "../column/encodedBatch.ts";
import type { EncodedBatchColumn } from "../column/encodedBatchColumn.ts";
import { hashTexts } from "../column/texts/hashTexts.ts";
import { EngineError } from "../errors.ts";
import type { SealColumnsTask, SharedColumn } from "./messages.ts";

/**
 * Checks the columns of a batch and hashes their strings.
 * @throws {EngineError} BATCH_MALFORMED, VALUE_NOT_FINITE
 */
export function encodeColumns({
  rowCount,
  columns,
}: Pick<SealColumnsTask, "rowCount" | "columns">): EncodedBatch {
  return {
    rowCount,
    columns: columns.map((column) => ({
      name: column.name,
      isDate: false,
      isEmpty: false,
      column: encodeColumn(column),
    })),
  };
}

function encodeColumn(column: SharedColumn): EncodedBatchColumn {
  if (column.type !== "text") {
    const { name, type, values } = column;
    checkNumbers(name, { type, values });
    return { type, values };
  }
  const { name, codes, bytes, ends } = column;
  checkTexts(name, bytes, ends);
  const { length } = ends;
  for (let row = 0; row < codes.length; row++)
    if (codes[row] >= length || codes[row] < -1)
      throw malformed(
        `row ${row} of column ${name} has the code ${codes[row]}, which is not in its dictionary`,
      );
  const texts = { bytes, ends, hashes: hashTexts(bytes, ends), hasLoneSurrogates: false };
  return { type: "text", codes, texts };
}

/** Checks that the ends are offsets in order, and that every string is valid UTF-8. */
function checkTexts(name: string, bytes: Uint8Array, ends: Int32Array): void {
  let start = 0;
  for (let code = 0; code < ends.length; code++) {
    // A string that starts within a character would leave the previous string incomplete.
    if (ends[code] < start || (bytes[start] & 0xc0) === 0x80)
      throw malformed(`string ${code} of column ${name} has wrong limits`);
    start = ends[code];
  }
  if (start !== bytes.length || !isUtf8(bytes))
    throw malformed(`the strings of column ${name} must be valid UTF-8`);
}

function malformed(detail: string): EngineError {
  return new EngineError("BATCH_MALFORMED", [detail]);
}
