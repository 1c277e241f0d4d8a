import { setImmediate } from "node:timers/promises";
import { decoderSlackBytes, type Decoders } from "../../kernels/decoders.ts";
import { openDecoders } from "../../kernels/openKernels.ts";
import { type ColumnRoom, freshRoom } from "./columnBuffers.ts";
import { collectGarbage } from "../../memory/collectGarbage.ts";

const pageBytes = 65_536;
const pageLimit = 65_536;
/** A memory that grew beyond this is not kept for the next task, and beyond the less not when there may be none. */
const keptBytes = { next: 2 ** 27, last: 2 ** 26 };

/** The memory in which a thread decodes files, apart from all else: blocks lie one behind the other, and what comes later goes first. */
export interface DecodeMemory {
  readonly decoders: Decoders;
  /** Where what is decoded goes. */
  readonly room: ColumnRoom;
  /** Returns the address of a block, a multiple of 64; its content is arbitrary. What decoders may touch behind a block is there. */
  take(sizeBytes: number): number;
  /** As `take`, filled with zeros. */
  takeZeros(sizeBytes: number): number;
  /** Returns the address of bytes: where they lie when that is here, else that of a copy in a new block. */
  place(bytes: ArrayBufferView): number;
  /** Makes a block end at an address, and gives the rest of it and what was taken after it back. */
  trim(end: number): void;
  /** Makes all blocks that were taken so far stay until `clear`. Returns where they end. */
  keep(): number;
  /** Gives back what was taken since the last `keep`. */
  release(): void;
  /** Gives back everything that was taken since a `keep`, which returned `end`; all when there is none. */
  clear(end?: number): void;
  /** Views of what lies at an address, for as long as its block is. */
  bytes(address: number, sizeBytes: number): Uint8Array;
  words(address: number, count: number): Int32Array;
  doubles(address: number, count: number): Float64Array;
}

let opened:
  | { readonly memory: WebAssembly.Memory; readonly decode: DecodeMemory & { room: ColumnRoom } }
  | undefined;

/** The memory of this thread, empty: only one encoder works with it at a time. What is decoded goes to `room`. */
export function openDecodeMemory(room: ColumnRoom = freshRoom): DecodeMemory {
  opened ??= createDecodeMemory();
  opened.decode.clear();
  opened.decode.room = room;
  return opened.decode;
}

/**
 * Ends a task. A memory that grew large is given up, and freed at once: V8 does not count shared memory, so it would gather
 * one after the other.
 */
export async function closeDecodeMemory(then: keyof typeof keptBytes): Promise<void> {
  if (!opened || opened.memory.buffer.byteLength <= keptBytes[then]) return;
  opened = undefined;
  // Until then what worked with it is on the stack.
  await setImmediate();
  collectGarbage();
}

function createDecodeMemory(): NonNullable<typeof opened> {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: pageLimit, shared: true });
  let { buffer } = memory;
  let size = buffer.byteLength;
  // A memory that grows has another buffer, over the same bytes.
  const buffers = new WeakSet<ArrayBufferLike>([buffer]);
  // The address 0 stands for no block.
  const start = 64;
  let kept = start;
  let top = start;
  const take = (sizeBytes: number): number => {
    const address = top;
    const end = address + Math.ceil(sizeBytes / 64) * 64 + decoderSlackBytes;
    if (end > size) {
      if (end > pageLimit * pageBytes) throw new RangeError("decoding it takes more than 4 GB");
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
    room: freshRoom,
    decoders,
    take,
    place(bytes) {
      if (buffers.has(bytes.buffer)) return bytes.byteOffset;
      // V8 copies shared bytes word by word only when both places lie alike within a word; the file's lie anywhere.
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
