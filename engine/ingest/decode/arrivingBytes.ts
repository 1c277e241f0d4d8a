/** Bytes to copy per turn of the event loop. Copying them takes a few milliseconds, including page faults. */
const blockBytes = 2 ** 21;

/** A file that is still being copied to shared memory while threads already read it. */
export interface ArrivingBytes {
  readonly bytes: Uint8Array;
  /**
   * Number of leading blocks that have been copied. The last block is copied before all others, because it contains the
   * metadata of files. Absent if the whole file has been copied.
   */
  readonly arrived?: Int32Array;
}

/**
 * Copies bytes to shared memory: the last block immediately, then the other blocks in order, one per turn of the event
 * loop. Meanwhile, threads can start to read. If copying fails, calls `failed` and then marks all blocks as copied, so
 * that no thread waits forever.
 */
export function copyArriving(bytes: Uint8Array, failed: (error: unknown) => void): ArrivingBytes {
  if (bytes.buffer instanceof SharedArrayBuffer) return { bytes };
  const { length } = bytes;
  const copy = new Uint8Array(new SharedArrayBuffer(length));
  const blockCount = lastBlock(length);
  copy.set(bytes.subarray(blockCount * blockBytes), blockCount * blockBytes);
  if (blockCount === 0) return { bytes: copy };
  const arrived = new Int32Array(new SharedArrayBuffer(4));
  const arrive = (count: number) => {
    Atomics.store(arrived, 0, count);
    Atomics.notify(arrived, 0);
  };
  const copyBlock = (block: number) => {
    try {
      if (bytes.length !== length)
        throw new TypeError(
          "the bytes were transferred or resized while they were read; keep them until the call settles",
        );
      const from = block * blockBytes;
      copy.set(bytes.subarray(from, from + blockBytes), from);
    } catch (error) {
      failed(error);
      arrive(blockCount);
      return;
    }
    arrive(block + 1);
    if (block + 1 < blockCount) setImmediate(copyBlock, block + 1);
  };
  setImmediate(copyBlock, 0);
  return { bytes: copy, arrived };
}

/** Returns the index of the last block, which may be shorter than the others. */
const lastBlock = (sizeBytes: number) => Math.max(0, Math.ceil(sizeBytes / blockBytes) - 1);

/** The file that this thread reads; undefined once it has been copied. */
let expected: Required<ArrivingBytes> | undefined;

/**
 * Sets the file that this thread's task reads, whose bytes may still be arriving. Call it with undefined when the task
 * ends.
 */
export function expectBytes(file: ArrivingBytes | undefined): void {
  expected = file?.arrived && { bytes: file.bytes, arrived: file.arrived };
}

/** Returns whether the file may still be incomplete, because its bytes are being copied. */
export function isArriving(): boolean {
  return expected !== undefined;
}

/** Blocks the thread until a range of the file has been copied. Ranges outside the file are ignored. */
export function awaitBytes(from: number, until: number): void {
  if (!expected) return;
  const { bytes, arrived } = expected;
  const blockCount = lastBlock(bytes.length);
  if (from >= blockCount * blockBytes) return;
  const wanted = Math.min(Math.ceil(until / blockBytes), blockCount);
  for (let count = 0; (count = Atomics.load(arrived, 0)) < wanted;) Atomics.wait(arrived, 0, count);
  if (wanted === blockCount) expected = undefined;
}

/** Like `awaitBytes`, for the part of the file that a view covers. Returns immediately for views of other memory. */
export function awaitView({ buffer, byteOffset, byteLength }: ArrayBufferView): void {
  if (expected?.bytes.buffer !== buffer) return;
  const from = byteOffset - expected.bytes.byteOffset;
  awaitBytes(from, from + byteLength);
}
