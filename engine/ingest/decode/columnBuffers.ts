/** Allocates the arrays that an encoder writes a column to. Their initial content is arbitrary. */
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
