/** Allocates the arrays to which an encoder writes a column. Their initial content is undefined. */
export interface ColumnBuffers {
  doubles(count: number): Float64Array;
  words(count: number): Int32Array;
  bytes(sizeBytes: number): Uint8Array;
}

/** Allocates each array separately, so that it can be transferred. */
export const newBuffers: ColumnBuffers = {
  doubles: (count) => new Float64Array(count),
  words: (count) => new Int32Array(count),
  bytes: (sizeBytes) => new Uint8Array(sizeBytes),
};
