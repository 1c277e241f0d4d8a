/**
 * Decodes one block of LZ4 into `output`, which it must fill exactly.
 * Source: https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md
 * @throws {RangeError} when the block is damaged
 */
export function decodeLz4Block(input: Uint8Array, output: Uint8Array, from = 0): number {
  const source = new DataView(input.buffer, input.byteOffset, input.byteLength);
  const target = new DataView(output.buffer, output.byteOffset, output.byteLength);
  let at = 0;
  let written = from;
  while (at < input.length) {
    const token = input[at++];
    let literals = token >> 4;
    if (literals === 15) {
      let more;
      do {
        if (at >= input.length) throw damaged();
        more = input[at++];
        literals += more;
      } while (more === 255);
    }
    if (at + literals > input.length || written + literals > output.length) throw damaged();
    if (literals > 64) output.set(input.subarray(at, at + literals), written);
    // Words: what they write too much is overwritten.
    else if (at + literals + 4 <= input.length && written + literals + 4 <= output.length)
      for (let index = 0; index < literals; index += 4)
        target.setInt32(written + index, source.getInt32(at + index, true), true);
    else for (let index = 0; index < literals; index++) output[written + index] = input[at + index];
    at += literals;
    written += literals;
    if (at === input.length) return written;
    if (at + 2 > input.length) throw damaged();
    const distance = input[at] | (input[at + 1] << 8);
    at += 2;
    let length = (token & 15) + 4;
    if (length === 19) {
      let more;
      do {
        if (at >= input.length) throw damaged();
        more = input[at++];
        length += more;
      } while (more === 255);
    }
    const start = written - distance;
    if (distance === 0 || start < 0 || written + length > output.length) throw damaged();
    if (distance >= length && length > 64) output.copyWithin(written, start, start + length);
    else if (distance >= 4 && written + length + 4 <= output.length)
      for (let index = 0; index < length; index += 4)
        target.setInt32(written + index, target.getInt32(start + index, true), true);
    else
      for (let index = 0; index < length; index++) output[written + index] = output[start + index];
    written += length;
  }
  return written;
}

/**
 * Decodes a frame of LZ4; its checksums are not looked at.
 * Source: https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md
 * @throws {RangeError} when the frame is damaged or larger than `sizeLimit` bytes
 */
export function decodeLz4Frame(input: Uint8Array, sizeLimit: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  if (input.length < 7 || view.getUint32(0, true) !== 0x184d2204) throw damaged();
  const flags = input[4];
  const blockLimit = 2 ** (8 + 2 * ((input[5] >> 4) & 7));
  const hasBlockChecksum = (flags & 16) !== 0;
  let at = 6 + ((flags & 8) !== 0 ? 8 : 0) + ((flags & 1) !== 0 ? 4 : 0) + 1;
  let output = new Uint8Array(Math.min(sizeLimit, Math.max(blockLimit, input.length * 4)));
  let written = 0;
  for (;;) {
    const header = view.getUint32(at, true);
    at += 4;
    if (header === 0) return output.subarray(0, written);
    const size = header & 0x7fffffff;
    const block = input.subarray(at, at + size);
    if (block.length !== size) throw damaged();
    const isPlain = header >>> 31 === 1;
    const room = isPlain ? size : blockLimit;
    if (written + room > output.length) {
      if (written + size > sizeLimit) throw damaged();
      const larger = new Uint8Array(Math.min(sizeLimit, (written + room) * 2));
      larger.set(output.subarray(0, written));
      output = larger;
    }
    if (isPlain) output.set(block, written);
    written = isPlain ? written + size : decodeLz4Block(block, output, written);
    at += size + (hasBlockChecksum ? 4 : 0);
  }
}

function damaged(): RangeError {
  return new RangeError("the LZ4 block is damaged");
}
