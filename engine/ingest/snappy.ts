import { paddingBytes } from "../column/textPool.ts";

/**
 * Decodes Snappy into bytes with `paddingBytes` behind them, those of `output` when it is given.
 * Source: https://github.com/google/snappy/blob/main/format_description.txt
 * @throws {RangeError} when the bytes are damaged or do not come to `sizeBytes`
 */
export function decodeSnappy(
  input: Uint8Array,
  sizeBytes: number,
  output = new Uint8Array(sizeBytes + paddingBytes),
): Uint8Array<ArrayBuffer> {
  const view = new DataView(output.buffer, output.byteOffset, output.byteLength);
  let at = 0;
  while (at < input.length && input[at] >= 128) at++;
  at++;
  let written = 0;
  while (at < input.length) {
    const tag = input[at++];
    if ((tag & 3) === 0) {
      let length = (tag >> 2) + 1;
      if (length > 60) {
        const width = length - 60;
        if (at + width > input.length) throw damaged();
        length = 0;
        for (let byte = width - 1; byte >= 0; byte--) length = length * 256 + input[at + byte];
        length++;
        at += width;
      }
      if (at + length > input.length || written + length > sizeBytes) throw damaged();
      if (length > 24) output.set(input.subarray(at, at + length), written);
      else for (let index = 0; index < length; index++) output[written + index] = input[at + index];
      at += length;
      written += length;
      continue;
    }
    let length = (tag >> 2) + 1;
    let distance;
    if ((tag & 3) === 1) {
      length = ((tag >> 2) & 7) + 4;
      distance = ((tag >> 5) << 8) | input[at++];
    } else if ((tag & 3) === 2) {
      distance = input[at] | (input[at + 1] << 8);
      at += 2;
    } else {
      distance =
        (input[at] | (input[at + 1] << 8) | (input[at + 2] << 16) | (input[at + 3] << 24)) >>> 0;
      at += 4;
    }
    const start = written - distance;
    if (at > input.length || distance === 0 || start < 0 || written + length > sizeBytes)
      throw damaged();
    // Words overlap no source when it is 4 bytes away; what they write too much is overwritten, or padding.
    if (distance >= 4)
      for (let index = 0; index < length; index += 4)
        view.setInt32(written + index, view.getInt32(start + index, true), true);
    else
      for (let index = 0; index < length; index++) output[written + index] = output[start + index];
    written += length;
  }
  if (written !== sizeBytes) throw damaged();
  output.fill(0, sizeBytes);
  return output.subarray(0, sizeBytes);
}

function damaged(): RangeError {
  return new RangeError("the Snappy block is damaged");
}
