import { setImmediate } from "node:timers/promises";

/**
 * Bytes that arrive in parts of any size, stored in blocks. Small parts have no overhead, and adding parts copies no
 * earlier bytes.
 */
export interface Blocks {
  readonly sizeBytes: number;
  add(part: Uint8Array): void;
  /** Returns all bytes as one array, and ends the use of the blocks. Copies one MiB per turn of the event loop. */
  join(): Promise<Uint8Array>;
  /** Copies the bytes from `from` to `end` to the start of `target`, one MiB per turn of the event loop. */
  copy(from: number, end: number, target: Uint8Array): Promise<void>;
  /** Ends the use of the blocks, so that other bodies can use their memory. */
  release(): void;
}

const blockBytes = 64 * 2 ** 10;
const blocksATurn = 16;
/** Blocks for other bodies to use. V8 collects garbage whenever many new buffers have been allocated. */
const free: Uint8Array[] = [];
const mostFree = 64;

/** Creates an empty store of blocks. The first block grows with its content. */
export function createBlocks(): Blocks {
  let blocks: Uint8Array[] = [];
  /** Number of used bytes in the last block. */
  let used = 0;
  let sizeBytes = 0;

  const last = (room: number): Uint8Array => {
    const block = blocks.at(-1);
    if (block && used < block.length) return block;
    if (block && blocks.length === 1 && block.length < blockBytes) {
      const grown = Buffer.allocUnsafeSlow(Math.min(blockBytes, Math.max(room + used, used * 4)));
      grown.set(block);
      return (blocks[0] = grown);
    }
    const isFull = block !== undefined || room >= blockBytes;
    const fresh =
      (isFull ? free.pop() : undefined) ??
      Buffer.allocUnsafeSlow(isFull ? blockBytes : Math.min(blockBytes, room));
    blocks.push(fresh);
    used = 0;
    return fresh;
  };
  const copy = async (from: number, end: number, target: Uint8Array): Promise<void> => {
    let copied = 0;
    for (let index = Math.floor(from / blockBytes); from + copied < end; index++) {
      const start = from + copied - index * blockBytes;
      const piece = blocks[index]!.subarray(start, Math.min(blockBytes, end - index * blockBytes));
      target.set(piece, copied);
      copied += piece.length;
      if (index % blocksATurn === blocksATurn - 1) await setImmediate();
    }
  };
  const release = () => {
    for (const block of blocks)
      if (block.length === blockBytes && free.length < mostFree) free.push(block);
    blocks = [];
  };
  return {
    get sizeBytes() {
      return sizeBytes;
    },
    add(part) {
      for (let from = 0; from < part.length;) {
        const block = last(part.length - from);
        const taken = part.subarray(from, from + block.length - used);
        block.set(taken, used);
        used += taken.length;
        from += taken.length;
      }
      sizeBytes += part.length;
    },
    copy,
    release,
    async join() {
      if (blocks.length <= 1) return blocks[0]?.subarray(0, sizeBytes) ?? new Uint8Array();
      const whole = Buffer.allocUnsafeSlow(sizeBytes);
      await copy(0, sizeBytes, whole);
      release();
      return whole;
    },
  };
}
