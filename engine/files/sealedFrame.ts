import { readSegment, segmentRecordDoubles, writeSegment } from "../column/segment/segment.ts";
import { hashTexts, paddingBytes } from "../column/texts/hashTexts.ts";
import type { SealedBatch } from "../column/sealedBatch.ts";
import type { DataType } from "../types.ts";
import { readHead, writeHead, type TextsHead } from "./frameHead.ts";

/**
 * A sealed batch on its way to the main thread, already as a frame for the log. Later batches reuse its shared memory,
 * because V8 collects garbage too often if large buffers are created and dropped repeatedly.
 */
export interface SealedFrame {
  readonly frame: Uint8Array<SharedArrayBuffer>;
  /** For each text column, the hashes of its strings, in the same buffer. Files do not contain the hashes. */
  readonly hashes: readonly Int32Array<SharedArrayBuffer>[];
}

/**
 * A batch that a worker sealed. For each column, the body contains the records of its segments and `sizeBytes` of
 * stored values. For a text column, the end offsets and bytes of its strings follow. Each of these starts at a multiple
 * of `alignBytes` from the start of the body.
 */
interface SealedHead {
  readonly rowCount: number;
  readonly columns: readonly {
    readonly name: string;
    readonly type: DataType;
    readonly segmentCount: number;
    readonly sizeBytes: number;
    readonly texts?: TextsHead;
  }[];
}

/** Alignment in bytes. It allows views of doubles over the body. */
const alignBytes = 8;
const recordBytes = segmentRecordDoubles * 8;

/**
 * Encodes sealed rows, which are part of a change, as the payload of a frame, in pieces. The body starts at a multiple
 * of 8 bytes.
 */
export function encodeSealed({ rowCount, columns }: SealedBatch): readonly Uint8Array[] {
  const body: Uint8Array[] = [];
  const add = ({ buffer, byteOffset, byteLength }: ArrayBufferView) => {
    body.push(new Uint8Array(buffer, byteOffset, byteLength), new Uint8Array(gapOf(byteLength)));
  };
  const heads = columns.map(({ name, column: { type, segments, stored, texts } }) => {
    const records = new Float64Array(segments.length * segmentRecordDoubles);
    segments.forEach((segment, index) =>
      writeSegment(records.subarray(index * segmentRecordDoubles), segment),
    );
    add(records);
    add(stored);
    const head = { name, type, segmentCount: segments.length, sizeBytes: stored.length };
    if (!texts) return head;
    const { bytes, ends, hasLoneSurrogates } = texts;
    add(ends);
    add(bytes);
    const textsHead = { textCount: ends.length, sizeBytes: bytes.length, hasLoneSurrogates };
    return { ...head, texts: textsHead };
  });
  const head: SealedHead = { rowCount, columns: heads };
  // Strings are read word by word, so the last string needs padding.
  return [...writeHead(head, "sealed part", alignBytes), ...body, new Uint8Array(paddingBytes)];
}

/**
 * Decodes sealed rows from a payload that starts at a multiple of 8 bytes in its buffer. The batch consists of views of
 * the payload. `hashes` contains the string hashes of each text column, in order; if absent, the hashes are computed.
 */
export function decodeSealed(payload: Uint8Array, hashes?: readonly Int32Array[]): SealedBatch {
  const { head, headEnd } = readHead(payload);
  const { rowCount, columns } = head as SealedHead;
  const { buffer } = payload;
  let position = payload.byteOffset + headEnd;
  let textColumn = 0;
  const take = (sizeBytes: number): number => {
    const from = position;
    position += sizeBytes + gapOf(sizeBytes);
    return from;
  };
  return {
    rowCount,
    columns: columns.map(({ name, type, segmentCount, sizeBytes, texts }) => {
      const records = take(segmentCount * recordBytes);
      const segments = Array.from({ length: segmentCount }, (_, index) =>
        readSegment(new Float64Array(buffer, records + index * recordBytes, segmentRecordDoubles)),
      );
      const stored = new Uint8Array(buffer, take(sizeBytes), sizeBytes);
      if (!texts) return { name, column: { type, segments, stored } };
      const ends = new Int32Array(buffer, take(texts.textCount * 4), texts.textCount);
      const bytes = new Uint8Array(buffer, take(texts.sizeBytes), texts.sizeBytes);
      const { hasLoneSurrogates } = texts;
      const known = hashes ? hashes[textColumn++] : hashTexts(bytes, ends);
      const packed = { bytes, ends, hashes: known, hasLoneSurrogates };
      return { name, column: { type, segments, stored, texts: packed } };
    }),
  };
}

/** Returns the number of bytes up to the next multiple of `alignBytes`. */
const gapOf = (sizeBytes: number) => (alignBytes - (sizeBytes % alignBytes)) % alignBytes;
