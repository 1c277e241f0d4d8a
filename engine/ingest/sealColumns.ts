import { DecodedTextColumn } from "../column/decodedTextColumn.ts";
import { paddingBytes } from "../column/texts/hashTexts.ts";
import { EngineError } from "../errors.ts";
import type { Failure } from "../failureOf.ts";
import type { SealedFrame } from "../files/sealedFrame.ts";
import type { BufferPool } from "../memory/bufferPool.ts";
import type { BatchColumn, NamedBatch } from "../types.ts";
import type { SealAnswer, SealColumnsTask, SharedColumn } from "./messages.ts";

/** Minimum number of rows. The main thread stores fewer rows in less time than passing them to a thread takes. */
const fewestRows = 8192;

/**
 * Returns whether a thread should seal a batch: it is large, and its strings are UTF-8 that no thread has decoded, or
 * it has no strings and is in shared memory.
 * Pushes are other batches. They must not wait for a thread, and they share the sync of the log.
 */
export function canSealColumns(rows: NamedBatch): boolean {
  const { rowCount, columns } = rows.batch;
  const texts = columns.filter((column) => column.type === "text");
  return (
    rowCount >= fewestRows &&
    (texts.length > 0 || sharedAlready(rows) !== undefined) &&
    texts.every((column) => column.utf8 && !(column instanceof DecodedTextColumn))
  );
}

/**
 * Seals the columns of a batch in a thread. The values are copied to shared memory, unless they are there. The caller
 * must give the memory of the frame back to `bufferPool`.
 * @throws {EngineError} BATCH_MALFORMED, VALUE_NOT_FINITE, and the errors of `run`
 */
export async function sealColumns(
  rows: NamedBatch,
  openRowCount: number,
  bufferPool: BufferPool,
  run: (task: SealColumnsTask) => Promise<SealAnswer | Failure>,
): Promise<SealedFrame> {
  const shared = sharedAlready(rows);
  const { buffer, columns } = shared ?? shareColumns(rows, bufferPool);
  const frame = bufferPool.find(buffer.byteLength);
  const answer = await run({
    kind: "sealColumns",
    rowCount: rows.batch.rowCount,
    columns,
    openRowCount,
    ...(frame && { buffer: frame }),
  });
  // If `run` throws, a thread may still use the memory.
  if (!shared) bufferPool.give(buffer);
  if (!answer.ok) {
    if (frame) bufferPool.give(frame);
    throw new EngineError(answer.code, answer.details);
  }
  const { sealed } = answer;
  if (frame && sealed.frame.buffer !== frame) bufferPool.give(frame);
  return sealed;
}

/** Alignment in bytes, for views of doubles. */
const alignBytes = 8;

/** Returns the arrays of a column. */
function arraysOf(column: BatchColumn): readonly (Float64Array | Int32Array | Uint8Array)[] {
  if (column.type !== "text") return [column.values];
  return column.utf8 ? [column.codes, column.utf8.bytes, column.utf8.ends] : [];
}

const spaceOf = (sizeBytes: number): number =>
  Math.ceil((sizeBytes + paddingBytes) / alignBytes) * alignBytes;

interface SharedColumns {
  readonly buffer: SharedArrayBuffer;
  readonly columns: readonly SharedColumn[];
}

/** Returns the columns if they are in one shared memory, with padding after the strings. */
function sharedAlready({ names, batch: { columns } }: NamedBatch): SharedColumns | undefined {
  const [buffer] = columns.flatMap(arraysOf).map((array) => array.buffer);
  if (!(buffer instanceof SharedArrayBuffer)) return undefined;
  const isShared = (array: ArrayBufferView) =>
    array.buffer === buffer &&
    array.byteOffset + array.byteLength + paddingBytes <= buffer.byteLength;
  if (!columns.flatMap(arraysOf).every(isShared)) return undefined;
  return {
    buffer,
    columns: columns.map((column, index): SharedColumn => {
      const name = names[index];
      if (column.type !== "text") return { name, type: column.type, values: column.values };
      const { bytes, ends } = column.utf8 ?? noTexts;
      return { name, type: "text", codes: column.codes, bytes, ends };
    }),
  };
}

/** Copies the columns of a batch to shared memory. */
function shareColumns(
  { names, batch: { columns } }: NamedBatch,
  bufferPool: BufferPool,
): SharedColumns {
  const sizes = columns.flatMap((column) => arraysOf(column).map((array) => array.byteLength));
  const buffer = bufferPool.take(sizes.reduce((sum, sizeBytes) => sum + spaceOf(sizeBytes), 0));
  let end = 0;
  const copy = ({ buffer: source, byteOffset, byteLength }: ArrayBufferView): number => {
    const from = end;
    new Uint8Array(buffer, from, byteLength).set(new Uint8Array(source, byteOffset, byteLength));
    end += spaceOf(byteLength);
    return from;
  };
  const ints = (array: Int32Array) => new Int32Array(buffer, copy(array), array.length);
  const shared = columns.map((column, index): SharedColumn => {
    const name = names[index];
    if (column.type !== "text") {
      const { type, values } = column;
      return { name, type, values: new Float64Array(buffer, copy(values), values.length) };
    }
    const { bytes, ends } = column.utf8 ?? noTexts;
    return {
      name,
      type: "text",
      codes: ints(column.codes),
      bytes: new Uint8Array(buffer, copy(bytes), bytes.length),
      ends: ints(ends),
    };
  });
  return { buffer, columns: shared };
}

const noTexts = { bytes: new Uint8Array(0), ends: new Int32Array(0) };
