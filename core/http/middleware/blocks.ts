import { setImmediate } from "node:timers/promises";

/**
 * Bytes that arrive in parts of any size, stored in blocks. Small parts have no overhead, and adding parts copies no
 * earlier bytes.
 */
export interface Blocks {
  readonly sizeBytes: number;
  add(part: Uint8Array): void;
  /** Returns all bytes as one array. It can be called only once. Copies one MiB per turn of the event loop. */
  join(): Promise<Uint8Array>;
}

const blockBytes = 64 * 2 ** 10;
const blocksATurn = 16;

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
    const fresh = Buffer.allocUnsafeSlow(block ? blockBytes : Math.min(blockBytes, room));
    blocks.push(fresh);
    used = 0;
    return fresh;
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
    async join() {
      const taken = blocks;
      blocks = [];
      if (taken.length <= 1) return taken[0]?.subarray(0, sizeBytes) ?? new Uint8Array();
      const whole = Buffer.allocUnsafeSlow(sizeBytes);
      for (let index = 0; index < taken.length; index++) {
        const from = index * blockBytes;
        whole.set(taken[index]!.subarray(0, sizeBytes - from), from);
        // Release blocks that were copied.
        taken[index] = new Uint8Array();
        if (index % blocksATurn === blocksATurn - 1) await setImmediate();
      }
      return whole;
    },
  };
}
