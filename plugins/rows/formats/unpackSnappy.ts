/** Bytes that a copy of whole words may read and write beyond its end. */
const slackBytes = 3;
/** A literal of at least this many bytes is copied by the engine's own routine. */
const longLiteral = 64;

/**
 * Unpacks a Snappy block.
 * @see https://github.com/google/snappy/blob/main/format_description.txt
 * @throws {Error} unless the bytes unpack to exactly `sizeBytes`
 */
export function unpackSnappy(packed: Uint8Array, sizeBytes: number): Uint8Array {
  const unpacked = new Uint8Array(sizeBytes + slackBytes);
  const source = new DataView(packed.buffer, packed.byteOffset, packed.length);
  const target = new DataView(unpacked.buffer);
  const packedBytes = packed.length;
  const lastWord = packedBytes - 4;
  let at = 0;
  while (at < packedBytes && packed[at++]! > 0x7f);
  let to = 0;
  while (at < packedBytes) {
    const tag = packed[at++]!;
    const kind = tag & 3;
    if (kind === 0) {
      let size = (tag >>> 2) + 1;
      if (size > 60) {
        const lengthBytes = size - 60;
        if (lengthBytes > packedBytes - at) throw damaged();
        size = 0;
        for (let shift = 0; shift < 8 * lengthBytes; shift += 8) size |= packed[at++]! << shift;
        if (size < 0) throw damaged();
        size = (size + 1) | 0;
      }
      if (size > packedBytes - at || size > sizeBytes - to) throw damaged();
      if (size >= longLiteral) unpacked.set(packed.subarray(at, at + size), to);
      else {
        let index = 0;
        for (; index < size && at + index <= lastWord; index += 4)
          target.setInt32(to + index, source.getInt32(at + index, true), true);
        for (; index < size; index++) unpacked[to + index] = packed[at + index]!;
      }
      at += size;
      to += size;
      continue;
    }
    // The last tags are read byte by byte, because reading a word would end after the block.
    const tail = at <= lastWord ? source.getInt32(at, true) : tailWord(packed, at);
    let size = (tag >>> 2) + 1;
    let offset = tail;
    if (kind === 1) {
      size = ((tag >>> 2) & 7) + 4;
      offset = ((tag >>> 5) << 8) | (tail & 0xff);
      at += 1;
    } else if (kind === 2) {
      offset = tail & 0xffff;
      at += 2;
    } else at += 4;
    if (offset <= 0 || offset > to || size > sizeBytes - to) throw damaged();
    const from = to - offset;
    // Words overlap only if the match begins fewer than four bytes back.
    if (offset >= 4)
      for (let index = 0; index < size; index += 4)
        target.setInt32(to + index, target.getInt32(from + index, true), true);
    else for (let index = 0; index < size; index++) unpacked[to + index] = unpacked[from + index]!;
    to += size;
  }
  if (at !== packedBytes || to !== sizeBytes) throw damaged();
  return unpacked.subarray(0, sizeBytes);
}

/** Reads up to four bytes at the end of a block. */
function tailWord(packed: Uint8Array, at: number): number {
  let word = 0;
  for (let index = 0; at + index < packed.length; index++)
    word |= packed[at + index]! << (8 * index);
  return word;
}

function damaged(): Error {
  return new Error("a page is not valid Snappy");
}
