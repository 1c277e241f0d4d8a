import { isAscii } from "node:buffer";
import type { DictionarySize, HierarchyBatchColumn, Utf8Texts } from "./batch.ts";

/**
 * Creates a text column from packed strings, which must be valid UTF-8. The members `dictionary` and `dictionarySize`
 * are computed when they are first read, or when the object is copied.
 */
export function packedHierarchy(codes: Int32Array, utf8: Utf8Texts): HierarchyBatchColumn {
  let dictionary: readonly string[] | undefined;
  let size: DictionarySize | undefined;
  return {
    type: "hierarchy",
    codes,
    utf8,
    get dictionary() {
      return (dictionary ??= unpack(utf8));
    },
    get dictionarySize() {
      return (size ??= { textCount: utf8.ends.length, textLength: lengthOf(utf8.bytes) });
    },
  };
}

function unpack({ bytes, ends }: Utf8Texts): readonly string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const encoding = isAscii(buffer) ? "latin1" : "utf8";
  let start = 0;
  return Array.from(ends, (end) => {
    const text = buffer.toString(encoding, start, end);
    start = end;
    return text;
  });
}

/** Counts UTF-16 code units: one per first byte of a character, and a second one per character of four bytes. */
function lengthOf(bytes: Uint8Array): number {
  if (isAscii(bytes)) return bytes.length;
  let length = 0;
  for (const byte of bytes) {
    if ((byte & 0xc0) !== 0x80) length++;
    if (byte >= 0xf0) length++;
  }
  return length;
}
