/** Bytes that are copied before others have a turn: some milliseconds, with the pages that come anew. */
const blockBytes = 2 ** 21;

/** A file on its way to where the threads can read it. */
export interface ArrivingBytes {
  readonly bytes: Uint8Array;
  /** How many blocks from the first on are there; the last one always is, since there the metadata of files lies. Absent when all are. */
  readonly arrived?: Int32Array;
}

/**
 * Copies bytes to shared memory: the last block at once, the others in order, with a turn for others after each. Threads can
 * begin meanwhile. When copying fails, `failed` is called, and then all counts as there, so that no thread waits for ever.
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
        throw new TypeError("the bytes were given away while they were read");
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

/** Blocks before the last one, which may be shorter. */
const lastBlock = (sizeBytes: number) => Math.max(0, Math.ceil(sizeBytes / blockBytes) - 1);

/** The file that this thread reads, while it arrives. */
let expected: Required<ArrivingBytes> | undefined;

/** Begins a task over bytes, which may be on their way; without them ends it. */
export function expectBytes(file: ArrivingBytes | undefined): void {
  expected = file?.arrived && { bytes: file.bytes, arrived: file.arrived };
}

/** Whether some of the file may not be there. */
export function isArriving(): boolean {
  return expected !== undefined;
}

/** Waits until the bytes of a range of the file are there. Ranges outside of it are nobody's. */
export function awaitBytes(from: number, until: number): void {
  if (!expected) return;
  const { bytes, arrived } = expected;
  const blockCount = lastBlock(bytes.length);
  if (from >= blockCount * blockBytes) return;
  const wanted = Math.min(Math.ceil(until / blockBytes), blockCount);
  for (let count = 0; (count = Atomics.load(arrived, 0)) < wanted;) Atomics.wait(arrived, 0, count);
  if (wanted === blockCount) expected = undefined;
}

/** As `awaitBytes`, of what a view shows of the file; nothing when it shows something else. */
export function awaitView({ buffer, byteOffset, byteLength }: ArrayBufferView): void {
  if (expected?.bytes.buffer !== buffer) return;
  const from = byteOffset - expected.bytes.byteOffset;
  awaitBytes(from, from + byteLength);
}
