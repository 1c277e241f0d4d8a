import { packTexts } from "../column/texts/packTexts.ts";
import { hashTexts } from "../column/texts/hashTexts.ts";
import type { EncodedBatch } from "../column/encodedBatch.ts";
import type { EncodedBatchColumn } from "../column/encodedBatchColumn.ts";
import type { TableChange } from "../table/table.ts";
import type { ColumnDefinition, NamedBatch, BatchColumn } from "../types.ts";
import { headKind, readHead, writeHead, type TextsHead } from "./frameHead.ts";
import { decodeSealed } from "./sealedFrame.ts";

/**
 * A batch of rows. For each column, the body contains the bytes of its values or codes. For a text column, `textCount`
 * end offsets and `sizeBytes` of strings follow.
 */
interface EncodedHead {
  readonly rowCount: number;
  /** The columns of the batch. The name `vectors` is part of the file format. */
  readonly vectors: readonly {
    readonly name: string;
    readonly type: "number" | "datetime" | "text";
    readonly texts?: TextsHead;
  }[];
}

/** The head of a frame, as JSON. The bytes of the encoded batches follow the head, in the same order. */
interface Head {
  readonly drop?: readonly string[];
  readonly add?: readonly ColumnDefinition[];
  readonly encoded?: readonly EncodedHead[];
  /** Number of row numbers to delete. They are doubles at the end of the body. */
  readonly deletedCount?: number;
}

/**
 * Encodes a change as the payload of a frame, in pieces. Numbers are not copied, so the caller must not change the
 * arrays until the change is written. Strings are codes of the frame's own dictionary, so each frame can be read
 * without the frames before it. A frame that is a part belongs to the same change as the next frame that is not a part.
 */
export function encodeChange(change: TableChange, isPart = false): readonly Uint8Array[] {
  const bodies: Uint8Array[] = [];
  const encoded = [
    ...(change.rows ? [encodeRows(change.rows, bodies)] : []),
    ...(change.encoded ?? []).map((batch) => encodeBatch(batch, bodies)),
  ];
  const head: Head = {
    ...(change.drop && { drop: change.drop }),
    ...(change.add && { add: change.add.map(({ name, type }) => ({ name, type })) }),
    ...(encoded.length > 0 && { encoded }),
    ...(change.deletes && { deletedCount: change.deletes.length }),
  };
  if (change.deletes) bodies.push(bytesOf(change.deletes));
  return [...writeHead(head, isPart ? "part" : change.deletes ? "deletion" : "change"), ...bodies];
}

/** Returns whether a payload is part of a change that a later frame completes. */
export function isPartOfChange(payload: Uint8Array): boolean {
  const kind = headKind(payload);
  return kind === "part" || kind === "sealed part";
}

/** Decodes a payload. Its checksum must have been verified. */
export function decodeChange(payload: Uint8Array): TableChange {
  if (headKind(payload) === "sealed part") return { sealed: decodeSealed(new Uint8Array(payload)) };
  const { head, headEnd } = readHead(payload);
  let position = headEnd;
  /** Returns the next bytes of the payload, as an aligned copy. */
  const take = (sizeBytes: number): ArrayBuffer => {
    const copy = new Uint8Array(sizeBytes);
    copy.set(payload.subarray(position, position + sizeBytes));
    position += sizeBytes;
    return copy.buffer;
  };
  const { drop, add, encoded, deletedCount } = head as Head;
  return {
    ...(drop && { drop }),
    ...(add && { add }),
    ...(encoded && { encoded: encoded.map((batch) => decodeBatch(batch, take)) }),
    ...(deletedCount !== undefined && { deletes: new Float64Array(take(deletedCount * 8)) }),
  };
}

/** Encodes rows. The encoded dictionaries contain only the strings that the rows use, in the order of the rows. */
function encodeRows({ names, batch }: NamedBatch, bodies: Uint8Array[]): EncodedHead {
  const vectors = batch.columns.map((column, index) => {
    const { type } = column;
    const name = names[index];
    if (type !== "text") {
      bodies.push(bytesOf(column.values));
      return { name, type };
    }
    const { codes, dictionary } = occurring(column);
    const { bytes, ends, hasLoneSurrogates } = packTexts(dictionary);
    bodies.push(bytesOf(codes), bytesOf(ends), bytes);
    const texts = { textCount: ends.length, sizeBytes: bytes.length, hasLoneSurrogates };
    return { name, type, texts };
  });
  return { rowCount: batch.rowCount, vectors };
}

function encodeBatch({ rowCount, columns }: EncodedBatch, bodies: Uint8Array[]): EncodedHead {
  const vectors = columns.map(({ name, column }) => {
    if (column.type !== "text") {
      bodies.push(bytesOf(column.values));
      return { name, type: column.type };
    }
    const { bytes, ends, hasLoneSurrogates } = column.texts;
    bodies.push(bytesOf(column.codes), bytesOf(ends), bytes);
    const texts = { textCount: ends.length, sizeBytes: bytes.length, hasLoneSurrogates };
    return { name, type: column.type, texts };
  });
  return { rowCount, vectors };
}

function decodeBatch(
  { rowCount, vectors }: EncodedHead,
  take: (sizeBytes: number) => ArrayBuffer,
): EncodedBatch {
  const columns = vectors.map(({ name, type, texts }) => {
    const column = decodeEncoded(type, rowCount, texts, take);
    return { name, column, isDate: false, isEmpty: false };
  });
  return { rowCount, columns };
}

function decodeEncoded(
  type: BatchColumn["type"],
  rowCount: number,
  texts: EncodedHead["vectors"][number]["texts"],
  take: (sizeBytes: number) => ArrayBuffer,
): EncodedBatchColumn {
  if (type !== "text") return { type, values: new Float64Array(take(rowCount * 8)) };
  const { textCount = 0, sizeBytes = 0, hasLoneSurrogates = false } = texts ?? {};
  const codes = new Int32Array(take(rowCount * 4));
  const ends = new Int32Array(take(textCount * 4));
  const bytes = new Uint8Array(take(sizeBytes));
  const hashes = hashTexts(bytes, ends);
  return { type, codes, texts: { bytes, ends, hashes, hasLoneSurrogates } };
}

function occurring(column: Extract<BatchColumn, { type: "text" }>) {
  if (isInOrder(column)) return column;
  const places = new Int32Array(column.dictionary.length).fill(-1);
  const dictionary: string[] = [];
  const codes = column.codes.map((code) => {
    if (code < 0) return -1;
    if (places[code] < 0) places[code] = dictionary.push(column.dictionary[code]) - 1;
    return places[code];
  });
  return { codes, dictionary };
}

/** Returns whether rows use every string of a dictionary, in the dictionary's order. */
function isInOrder({ codes, dictionary }: Extract<BatchColumn, { type: "text" }>): boolean {
  let next = 0;
  for (const code of codes) {
    if (code > next) return false;
    if (code === next) next++;
  }
  return next === dictionary.length;
}

function bytesOf(array: Float64Array | Int32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
