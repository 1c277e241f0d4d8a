import { dictionarySizeOf, type Batch, type BatchColumn } from "../../../plugins/protocol/index.ts";

/**
 * Copies the parts of a batch that use more memory than its rows need: views of larger or shared buffers, packed
 * strings, and dictionaries with more strings than rows. O(rows).
 */
export function compactBatch({ rowCount, columns }: Batch): Batch {
  return { rowCount, columns: columns.map((vector) => compactVector(vector, rowCount)) };
}

/** Returns the size of a batch in bytes: its arrays, plus 2 bytes per character and 32 bytes per string. */
export function sizeOfBatch({ columns }: Batch): number {
  let sizeBytes = 0;
  for (const vector of columns)
    if (vector.type === "hierarchy") {
      const { textCount, textLength } = dictionarySizeOf(vector);
      sizeBytes += vector.codes.byteLength + 32 * textCount + 2 * textLength;
    } else sizeBytes += vector.values.byteLength;
  return sizeBytes;
}

function compactVector(vector: BatchColumn, rowCount: number): BatchColumn {
  if (vector.type !== "hierarchy") {
    const { type, values } = vector;
    return isOwn(values) ? vector : { type, values: values.slice() };
  }
  const { type, codes, dictionary, utf8 } = vector;
  if (dictionary.length <= rowCount)
    return isOwn(codes) && !utf8 ? vector : { type, codes: codes.slice(), dictionary };
  const used: string[] = [];
  const codeOf = new Map<number, number>();
  const kept = new Int32Array(codes.length);
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] ?? -1;
    const text = dictionary[code];
    let own = text === undefined ? -1 : codeOf.get(code);
    if (own === undefined) {
      own = used.push(text ?? "") - 1;
      codeOf.set(code, own);
    }
    kept[row] = own;
  }
  return { type: "hierarchy", codes: kept, dictionary: used };
}

function isOwn({ buffer, byteLength }: Float64Array | Int32Array): boolean {
  return byteLength === buffer.byteLength && buffer instanceof ArrayBuffer;
}
