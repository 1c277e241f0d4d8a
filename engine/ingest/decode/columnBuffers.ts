/** Allocates the arrays into which an encoder writes a column. Their content is arbitrary at first. */
export interface ColumnBuffers {
  doubles(count: number): Float64Array;
  words(count: number): Int32Array;
  bytes(sizeBytes: number): Uint8Array;
}

/** Allocates new arrays, which may be transferred. */
export const newBuffers: ColumnBuffers = {
  doubles: (count) => new Float64Array(count),
  words: (count) => new Int32Array(count),
  bytes: (sizeBytes) => new Uint8Array(sizeBytes),
};
