/** Shared memory for the rows of pushes, from which threads read them without a copy. */
export interface RowMemory {
  /** Returns memory of a size in bytes. Its content is undefined. */
  take(sizeBytes: number): Uint8Array;
  /** Allows memory to be reused. Nothing may read it any more. */
  give(bytes: Uint8Array): void;
}

/** Maximum number of unused buffers to keep, and the maximum of their total bytes. One holds the rows of any body. */
const mostKept = 8;
const mostBytes = 80 * 2 ** 20;

/**
 * Creates the memory for rows. Buffers are reused because V8 does not count shared memory, so it may keep unused
 * buffers for a long time. Without reuse, repeated pushes of many MiB would use all memory of the machine.
 */
export function createRowMemory(): RowMemory {
  const kept: SharedArrayBuffer[] = [];
  let keptBytes = 0;
  return {
    take(sizeBytes) {
      const fitting = kept.filter(({ byteLength }) => byteLength >= sizeBytes);
      const found = fitting.toSorted((one, other) => one.byteLength - other.byteLength)[0];
      if (found) {
        kept.splice(kept.indexOf(found), 1);
        keptBytes -= found.byteLength;
      }
      // The next push is often a little larger.
      const room = Math.ceil(sizeBytes * 1.25);
      return new Uint8Array(found ?? new SharedArrayBuffer(room), 0, sizeBytes);
    },
    give({ buffer }) {
      if (!(buffer instanceof SharedArrayBuffer)) return;
      kept.push(buffer);
      keptBytes += buffer.byteLength;
      while (kept.length > mostKept || keptBytes > mostBytes)
        keptBytes -= kept.shift()?.byteLength ?? 0;
    },
  };
}
