import type { DecodeMemory } from "./decodeMemory.ts";

/**
 * Decodes one LZ4 block to address `to` of the memory, up to `limit`. The block may refer to bytes at `base` and after.
 * Returns the end of the output. Source: https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md
 * @throws {RangeError} if the block is damaged
 */
export function decodeLz4Block(
  { decoders }: DecodeMemory,
  from: number,
  sizeBytes: number,
  to: number,
  limit: number,
  base = to,
): number {
  const end = decoders.decompressLz4(from, from + sizeBytes, base, to, limit);
  if (end === -1) throw damaged();
  return end >>> 0;
}

/**
 * Decodes an LZ4 frame to a block of the memory. Does not verify the checksums of the frame. Source:
 * https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md
 * @throws {RangeError} if the frame is damaged or larger than `sizeLimit` bytes
 */
export function decodeLz4Frame(
  memory: DecodeMemory,
  input: Uint8Array,
  sizeLimit: number,
): Uint8Array {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  if (input.length < 7 || view.getUint32(0, true) !== 0x184d2204) throw damaged();
  const flags = input[4];
  const blockLimit = 2 ** (8 + 2 * ((input[5] >> 4) & 7));
  const first = 6 + ((flags & 8) !== 0 ? 8 : 0) + ((flags & 1) !== 0 ? 4 : 0) + 1;
  const blocks = listBlocks(view, first, (flags & 16) !== 0 ? 4 : 0);
  const room = blocks.reduce((sum, { size, isPlain }) => sum + (isPlain ? size : blockLimit), 0);
  const limit = Math.min(room, sizeLimit);
  const output = memory.take(limit);
  const stored = memory.place(input);
  let to = output;
  for (const { at, size, isPlain } of blocks) {
    if (!isPlain) to = decodeLz4Block(memory, stored + at, size, to, output + limit, output);
    else if (size > output + limit - to) throw damaged();
    else {
      memory.bytes(to, size).set(input.subarray(at, at + size));
      to += size;
    }
  }
  memory.trim(to);
  return memory.bytes(output, to - output);
}

interface FrameBlock {
  readonly at: number;
  readonly size: number;
  readonly isPlain: boolean;
}

function listBlocks(view: DataView, first: number, checksumBytes: number): readonly FrameBlock[] {
  const blocks: FrameBlock[] = [];
  let at = first;
  for (;;) {
    const header = view.getUint32(at, true);
    if (header === 0) return blocks;
    const size = header & 0x7fffffff;
    at += 4;
    if (size > view.byteLength - at) throw damaged();
    blocks.push({ at, size, isPlain: header >>> 31 === 1 });
    at += size + checksumBytes;
  }
}

function damaged(): RangeError {
  return new RangeError("the LZ4 block is damaged");
}
