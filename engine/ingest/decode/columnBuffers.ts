/** Where an encoder puts the values of columns. What it gives has arbitrary content. */
export interface ColumnRoom {
  doubles(count: number): Float64Array;
  words(count: number): Int32Array;
  bytes(sizeBytes: number): Uint8Array;
}

/** Arrays of their own, which may be given away. */
export const freshRoom: ColumnRoom = {
  doubles: (count) => new Float64Array(count),
  words: (count) => new Int32Array(count),
  bytes: (sizeBytes) => new Uint8Array(sizeBytes),
};
