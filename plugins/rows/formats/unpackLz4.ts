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
    if (!fill(unpacked.subarray(to, to + blockBytes), block)) return undefined;
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
  if (!fill(unpacked, packed)) throw new Error("a page is not valid LZ4");
  return unpacked;
}

/** Unpacks a block into `unpacked`. Returns whether the block is valid and fills all of it. */
function fill(unpacked: Uint8Array, packed: Uint8Array): boolean {
  let at = 0;
  let to = 0;
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
    if (literalBytes > packed.length - at || literalBytes > unpacked.length - to) return false;
    unpacked.set(packed.subarray(at, at + literalBytes), to);
    at += literalBytes;
    to += literalBytes;
    // The last sequence has only literals.
    if (at === packed.length) return to === unpacked.length;
    if (at + 2 > packed.length) return false;
    const distance = packed[at]! | (packed[at + 1]! << 8);
    at += 2;
    const matchBytes = lengthOf(token & 15) + 4;
    if (distance === 0 || distance > to || matchBytes > unpacked.length - to) return false;
    // The match may overlap its own copy, so it is copied from the start to the end.
    for (const end = to + matchBytes; to < end; to++) unpacked[to] = unpacked[to - distance]!;
  }
  return packed.length === 0 && unpacked.length === 0;
}
