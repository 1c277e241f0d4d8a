/** Size in bytes above which buffers are shared and grow in place. */
const smallBytes = 2 ** 16;
const reservedPerByte = 16;
const largestBytes = 2 ** 32;

/**
 * Returns a buffer of at least `neededBytes` that starts with the first `usedBytes` of the given buffer, followed by
 * zeros. Large buffers are shared and grow in place. V8 does not count shared buffers, so growing one does not trigger
 * garbage collection.
 * @throws {RangeError} above 4 GB
 */
export function growBuffer(
  buffer: ArrayBufferLike,
  usedBytes: number,
  neededBytes: number,
): ArrayBufferLike {
  if (neededBytes > largestBytes) throw new RangeError("a buffer of more than 4 GB");
  const wantedBytes = Math.min(Math.max(buffer.byteLength * 2, neededBytes), largestBytes);
  if (
    buffer instanceof SharedArrayBuffer &&
    buffer.growable &&
    wantedBytes <= buffer.maxByteLength
  ) {
    buffer.grow(wantedBytes);
    return buffer;
  }
  const grown = openBuffer(wantedBytes);
  new Uint8Array(grown).set(new Uint8Array(buffer, 0, usedBytes));
  return grown;
}

/** Returns a buffer that `growBuffer` can enlarge. A large buffer reserves address space, not memory. */
export function openBuffer(sizeBytes: number): ArrayBufferLike {
  if (sizeBytes < smallBytes) return new ArrayBuffer(sizeBytes);
  const maxByteLength = Math.min(sizeBytes * reservedPerByte, largestBytes);
  return new SharedArrayBuffer(sizeBytes, { maxByteLength });
}
