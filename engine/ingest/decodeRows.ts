import { isAscii } from "node:buffer";
import { DecodedTextColumn } from "../column/decodedTextColumn.ts";
import type { EncodedColumn } from "../column/encodedBatch.ts";
import type { PackedTexts } from "../column/texts/packedTexts.ts";
import { EngineError } from "../errors.ts";
import type { Failure } from "../failureOf.ts";
import type { BufferPool } from "../memory/bufferPool.ts";
import type { DecodedColumn, DecodedRows, DecodeRequest } from "../types.ts";
import { shareBytes } from "./decode/shareBytes.ts";
import { hasObjects } from "./json/hasObjects.ts";
import type { DecodeAnswer, DecodeTask } from "./messages.ts";

/**
 * Decodes rows of JSON that are lists, in one task of a thread. `run` resolves to undefined if no thread was free in
 * time.
 * @throws {EngineError} INGEST_MALFORMED, INGEST_CELL, STORE_BUSY if no thread was free, and the errors of `run`
 */
export async function decodeRows(
  { bytes, types, digestPrefix }: Omit<DecodeRequest, "tenant">,
  bufferPool: BufferPool,
  run: (task: DecodeTask) => Promise<DecodeAnswer | Failure | undefined>,
): Promise<DecodedRows> {
  if (hasObjects(bytes))
    throw new EngineError("INGEST_MALFORMED", [
      "JSON",
      0,
      'rows must be lists of cells, such as [[1, "a"]], not objects',
    ]);
  const part = shareBytes(bytes, bufferPool);
  const buffer = bufferPool.find(part.length);
  const answer = await run({
    kind: "decode",
    bytes: part,
    ...(types && { columns: types.map((type, index) => ({ name: `column_${index + 1}`, type })) }),
    ...(digestPrefix !== undefined && { digestPrefix }),
    ...(buffer && { buffer }),
  });
  // If `run` throws, a thread may still use the memory.
  if (part.buffer !== bytes.buffer) bufferPool.give(part.buffer);
  if (!answer?.ok) {
    if (buffer) bufferPool.give(buffer);
    if (!answer) throw new EngineError("STORE_BUSY", ["all threads run queries"]);
    throw new EngineError(answer.code, answer.details);
  }
  const { batch, digest } = answer;
  const used = batch.buffer;
  let isReleased = false;
  return {
    rowCount: batch.rowCount,
    columns: batch.columns.map(toDecoded),
    ...(digest !== undefined && { digest }),
    release() {
      if (used && !isReleased) bufferPool.give(used);
      isReleased = true;
    },
  };
}

function toDecoded({ isDate, isEmpty, column }: EncodedColumn): DecodedColumn {
  if (column.type !== "text") return { isDate, isEmpty, column, textCount: 0, textLength: 0 };
  const { codes, texts } = column;
  return {
    isDate,
    isEmpty,
    column: new DecodedTextColumn(codes, texts),
    textCount: texts.ends.length,
    textLength: lengthOf(texts),
  };
}

/** Counts UTF-16 code units: one per first byte of a character, and a second one per character of four bytes. */
function lengthOf({ bytes }: PackedTexts): number {
  if (isAscii(bytes)) return bytes.length;
  let length = 0;
  for (const byte of bytes) {
    if ((byte & 0xc0) !== 0x80) length++;
    if (byte >= 0xf0) length++;
  }
  return length;
}
