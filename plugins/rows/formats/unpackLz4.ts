/** Bytes before each block of Hadoop's format: the unpacked size and the packed size, with the highest byte first. */
const headBytes = 8;

/**
 * Unpacks LZ4 as Parquet's older codec `LZ4` stores it: in Hadoop's blocks, or as a single block.
 * @throws {Error} unless the bytes unpack to exactly `sizeBytes`
 */
export function unpackLz4(packed: Uint8Array, sizeBytes: number): Uint8Array {
  return unpackHadoop(packed, sizeBytes) ?? unpackLz4Block(packed, sizeBytes);
}

/** Returns undefined if the bytes are not in Hadoop's format. */
function unpackHadoop(packed: Uint8Array, sizeBytes: number): Uint8Array | undefined {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  const unpacked = new Uint8Array(sizeBytes);
  let to = 0;
  for (let at = 0; at < packed.length;) {
    if (at + headBytes > packed.length) return undefined;
    const blockBytes = view.getUint32(at);
    const packedBytes = view.getUint32(at + 4);
    at += headBytes;
    if (packedBytes > packed.length - at || blockBytes > sizeBytes - to) return undefined;
    const block = packed.subarray(at, at + packedBytes);
    const own = unpacked.subarray(to, to + blockBytes);
    if (fill(own, 0, block) !== blockBytes) return undefined;
    at += packedBytes;
    to += blockBytes;
  }
  return to === sizeBytes ? unpacked : undefined;
}

/**
 * Unpacks one LZ4 block.
 * @see https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md
 * @throws {Error} unless the bytes unpack to exactly `sizeBytes`
 */
export function unpackLz4Block(packed: Uint8Array, sizeBytes: number): Uint8Array {
  const unpacked = new Uint8Array(sizeBytes);
  if (fill(unpacked, 0, packed) !== sizeBytes) throw new Error("a page is not valid LZ4");
  return unpacked;
}

const frameStart = 0x184d2204;
/** Flags of a frame's header. */
const flags = { hasBlockSums: 16, hasSize: 8, hasDictionary: 1 } as const;
/** The bit of a block's size that marks a block that is not compressed. */
const plainBlock = 0x8000_0000;

/**
 * Unpacks an LZ4 frame, as Arrow stores its buffers. Matches may refer to earlier blocks. Checksums are not compared.
 * @see https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md
 * @throws {Error} unless the frame unpacks to exactly `sizeBytes`
 */
export function unpackLz4Frame(packed: Uint8Array, sizeBytes: number): Uint8Array {
  const damaged = () => new Error("a buffer is not a valid LZ4 frame");
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  const wordAt = (at: number): number => {
    if (at + 4 > packed.length) throw damaged();
    return view.getUint32(at, true);
  };
  const shown = packed[4] ?? 0;
  if (wordAt(0) !== frameStart || shown >> 6 !== 1 || shown & flags.hasDictionary) throw damaged();
  const sumBytes = shown & flags.hasBlockSums ? 4 : 0;
  const unpacked = new Uint8Array(sizeBytes);
  let at = 7 + (shown & flags.hasSize ? 8 : 0);
  let to = 0;
  for (;;) {
    const size = wordAt(at);
    at += 4;
    if (size === 0) break;
    const blockBytes = size % plainBlock;
    const block = packed.subarray(at, at + blockBytes);
    if (block.length < blockBytes) throw damaged();
    at += blockBytes + sumBytes;
    if (size < plainBlock) to = fill(unpacked, to, block);
    else if (blockBytes <= sizeBytes - to) {
      unpacked.set(block, to);
      to += blockBytes;
    } else throw damaged();
    if (to < 0) throw damaged();
  }
  if (to !== sizeBytes) throw damaged();
  return unpacked;
}

/**
 * Unpacks a block into `unpacked` from `start` on. Returns the end of its bytes, or -1 if the block is not valid or
 * longer than the rest.
 */
function fill(unpacked: Uint8Array, start: number, packed: Uint8Array): number {
  let at = 0;
  let to = start;
  const lengthOf = (nibble: number): number => {
    let length = nibble;
    if (nibble < 15) return length;
    for (;;) {
      const part = packed[at++];
      if (part === undefined) return Infinity;
      length += part;
      if (part < 255) return length;
    }
  };
  while (at < packed.length) {
    const token = packed[at++]!;
    const literalBytes = lengthOf(token >> 4);
    if (literalBytes > packed.length - at || literalBytes > unpacked.length - to) return -1;
    unpacked.set(packed.subarray(at, at + literalBytes), to);
    at += literalBytes;
    to += literalBytes;
    // The last sequence has only literals.
    if (at === packed.length) return to;
    if (at + 2 > packed.length) return -1;
    const distance = packed[at]! | (packed[at + 1]! << 8);
    at += 2;
    const matchBytes = lengthOf(token & 15) + 4;
    if (distance === 0 || distance > to || matchBytes > unpacked.length - to) return -1;
    // The match may overlap its own copy, so it is copied from the start to the end.
    for (const end = to + matchBytes; to < end; to++) unpacked[to] = unpacked[to - distance]!;
  }
  return packed.length === 0 ? to : -1;
}
