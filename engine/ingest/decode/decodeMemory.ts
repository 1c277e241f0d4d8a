import { setImmediate } from "node:timers/promises";
import { decoderSlackBytes, type Decoders } from "../../kernels/decoders.ts";
import { openDecoders } from "../../kernels/openKernels.ts";
import { type ColumnBuffers, newBuffers } from "./columnBuffers.ts";
import { collectGarbage } from "../../memory/collectGarbage.ts";

const pageBytes = 65_536;
const pageLimit = 65_536;
/** Larger memories are not kept: `next` when another part of the file follows, `last` when none may follow. */
const keptBytes = { next: 2 ** 27, last: 2 ** 26 };

/**
 * The memory in which a thread decodes. It holds nothing else. Blocks are a stack: the last one taken is released
 * first.
 */
export interface DecodeMemory {
  readonly decoders: Decoders;
  /** Allocates the decoded columns. */
  readonly buffers: ColumnBuffers;
  /**
   * Returns the address of a block, a multiple of 64, followed by the bytes that decoders may touch. Its content is
   * arbitrary.
   */
  take(sizeBytes: number): number;
  /** Same as `take`, filled with zeros. */
  takeZeros(sizeBytes: number): number;
  /** Returns the address of bytes; copies them into a new block unless they are in this memory already. */
  place(bytes: ArrayBufferView): number;
  /** Ends the last block at an address and releases everything behind it. */
  trim(end: number): void;
  /** Protects all blocks taken so far from `release`, until `clear`. Returns where they end. */
  keep(): number;
  /** Releases what was taken since the last `keep`. */
  release(): void;
  /** Releases everything behind `end`, which a `keep` returned; without it, everything. */
  clear(end?: number): void;
  /** Views of the memory at an address, valid as long as the block. */
  bytes(address: number, sizeBytes: number): Uint8Array;
  words(address: number, count: number): Int32Array;
  doubles(address: number, count: number): Float64Array;
}

let opened:
  | {
      readonly memory: WebAssembly.Memory;
      readonly decode: DecodeMemory & { buffers: ColumnBuffers };
    }
  | undefined;

/** Opens the memory of this thread, empty, for one encoder at a time. Decoded columns are allocated from `buffers`. */
export function openDecodeMemory(buffers: ColumnBuffers = newBuffers): DecodeMemory {
  opened ??= createDecodeMemory();
  opened.decode.clear();
  opened.decode.buffers = buffers;
  return opened.decode;
}

/**
 * Ends a task. A large memory is dropped and collected at once: V8 does not count shared memory, so dropped memories
 * would pile up.
 */
export async function closeDecodeMemory(then: keyof typeof keptBytes): Promise<void> {
  if (!opened || opened.memory.buffer.byteLength <= keptBytes[then]) return;
  opened = undefined;
  // Until then the stack still refers to it.
  await setImmediate();
  collectGarbage();
}

function createDecodeMemory(): NonNullable<typeof opened> {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: pageLimit, shared: true });
  let { buffer } = memory;
  let size = buffer.byteLength;
  // A memory that grows gets a new buffer object over the same bytes.
  const buffers = new WeakSet<ArrayBufferLike>([buffer]);
  // Address 0 means no block.
  const start = 64;
  let kept = start;
  let top = start;
  const take = (sizeBytes: number): number => {
    const address = top;
    const end = address + Math.ceil(sizeBytes / 64) * 64 + decoderSlackBytes;
    if (end > size) {
      if (end > pageLimit * pageBytes)
        throw new RangeError(
          "decoding it takes more than 4 GB of memory; write smaller row groups or record batches",
        );
      const wanted = Math.min(Math.max(end, size * 1.5), pageLimit * pageBytes);
      memory.grow(Math.ceil((wanted - size) / pageBytes));
      ({ buffer } = memory);
      size = buffer.byteLength;
      buffers.add(buffer);
    }
    top = end;
    return address;
  };
  const decoders = openDecoders(memory);
  const decode: NonNullable<typeof opened>["decode"] = {
    buffers: newBuffers,
    decoders,
    take,
    place(bytes) {
      if (buffers.has(bytes.buffer)) return bytes.byteOffset;
      // V8 copies shared bytes by words only if source and target are equally aligned within a word.
      const shift = bytes.byteOffset % 8;
      const address = take(bytes.byteLength + shift) + shift;
      new Uint8Array(buffer, address, bytes.byteLength).set(
        new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      );
      return address;
    },
    takeZeros(sizeBytes) {
      const address = take(sizeBytes);
      decoders.clearBytes(address, sizeBytes);
      return address;
    },
    trim(end) {
      top = Math.ceil(end / 64) * 64 + decoderSlackBytes;
    },
    keep() {
      kept = top;
      return kept;
    },
    release() {
      top = kept;
    },
    clear(end = start) {
      top = end;
      kept = end;
    },
    bytes: (address, sizeBytes) => new Uint8Array(buffer, address, sizeBytes),
    words: (address, count) => new Int32Array(buffer, address, count),
    doubles: (address, count) => new Float64Array(buffer, address, count),
  };
  return { memory, decode };
}
