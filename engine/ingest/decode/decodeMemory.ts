import { setImmediate } from "node:timers/promises";
import { decoderSlackBytes, type Decoders } from "../../kernels/decoders.ts";
import { openDecoders } from "../../kernels/openKernels.ts";
import { type ColumnBuffers, newBuffers } from "./columnBuffers.ts";
import { collectGarbage } from "../../memory/collectGarbage.ts";

const pageBytes = 65_536;
const pageLimit = 65_536;
/** If the memory is larger than this many bytes at the end of a task, it is released. */
const keptBytes = 2 ** 26;

/** The memory that a thread uses only for decoding. All blocks are released together. */
export interface DecodeMemory {
  readonly decoders: Decoders;
  /** Allocates the arrays of the decoded columns. */
  readonly buffers: ColumnBuffers;
  /**
   * Allocates a block and returns its address, which is a multiple of 64. Decoders may write to the padding after the
   * block. The block's content is undefined.
   */
  take(sizeBytes: number): number;
  /** Like `take`, but fills the block with zeros. */
  takeZeros(sizeBytes: number): number;
  /**
   * Returns the address of the given bytes in this memory. Copies them to a new block unless they are already in the
   * memory.
   */
  place(bytes: ArrayBufferView): number;
  /** Releases all blocks. */
  clear(): void;
  /** Views of the memory at an address. They are valid as long as the block at that address. */
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

/**
 * Returns the empty decode memory of this thread, for one encoder at a time. Decoded columns are allocated with
 * `buffers`.
 */
export function openDecodeMemory(buffers: ColumnBuffers = newBuffers): DecodeMemory {
  opened ??= createDecodeMemory();
  opened.decode.clear();
  opened.decode.buffers = buffers;
  return opened.decode;
}

/**
 * Ends a task. A large memory is released and its garbage is collected immediately, because V8 does not count shared
 * memory and released memories would pile up.
 */
export async function closeDecodeMemory(): Promise<void> {
  if (!opened || opened.memory.buffer.byteLength <= keptBytes) return;
  opened = undefined;
  // Before this turn ends, the stack still refers to the memory.
  await setImmediate();
  collectGarbage();
}

function createDecodeMemory(): NonNullable<typeof opened> {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: pageLimit, shared: true });
  let { buffer } = memory;
  let size = buffer.byteLength;
  // A memory that grows gets a new buffer object over the same bytes.
  const buffers = new WeakSet<ArrayBufferLike>([buffer]);
  // Address 0 stands for "no block".
  const start = 64;
  let top = start;
  const take = (sizeBytes: number): number => {
    const address = top;
    const end = address + Math.ceil(sizeBytes / 64) * 64 + decoderSlackBytes;
    if (end > size) {
      if (end > pageLimit * pageBytes)
        throw new RangeError("decoding it takes more than 4 GB of memory; send it in parts");
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
      // V8 copies shared bytes word by word only if source and target have the same alignment within a word.
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
    clear() {
      top = start;
    },
    bytes: (address, sizeBytes) => new Uint8Array(buffer, address, sizeBytes),
    words: (address, count) => new Int32Array(buffer, address, count),
    doubles: (address, count) => new Float64Array(buffer, address, count),
  };
  return { memory, decode };
}
