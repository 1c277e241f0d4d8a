/**
 * Fills `output` from Parquet's hybrid of run lengths and packed bits of `width` bits, at most 32.
 * Source: https://parquet.apache.org/docs/file-format/data-pages/encodings/
 * @throws {RangeError} when the bytes end before `output` is full
 */
export function readHybrid(bytes: Uint8Array, width: number, output: Int32Array): void {
  if (width > 32) throw new RangeError(`values have ${width} bits`);
  const count = output.length;
  let at = 0;
  let written = 0;
  while (written < count) {
    let header = 0;
    let shift = 0;
    let byte;
    do {
      if (at >= bytes.length || shift > 28) throw cut();
      byte = bytes[at++];
      header |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte >= 0x80);
    header >>>= 0;
    if ((header & 1) === 0) {
      const run = Math.min(header >>> 1, count - written);
      let value = 0;
      for (let part = 0; part < width; part += 8) {
        if (at >= bytes.length) throw cut();
        value |= bytes[at++] << part;
      }
      output.fill(value, written, written + run);
      written += run;
    } else {
      const groups = header >>> 1;
      const run = Math.min(groups * 8, count - written);
      if (at + Math.ceil((run * width) / 8) > bytes.length) throw cut();
      unpack(bytes, at, width, output, written, run);
      written += run;
      at += groups * width;
    }
  }
}

function unpack(
  bytes: Uint8Array,
  from: number,
  width: number,
  output: Int32Array,
  start: number,
  count: number,
): void {
  const mask = width === 32 ? -1 : (1 << width) - 1;
  let at = from;
  // The bits that are read and not used, fewer than 8; `left` tells how many.
  let bits = 0;
  let left = 0;
  for (let index = 0; index < count; index++) {
    if (left >= width) {
      output[start + index] = bits & mask;
      bits >>>= width;
      left -= width;
      continue;
    }
    let value = bits;
    let have = left;
    let byte = 0;
    while (have < width) {
      byte = bytes[at++];
      value |= byte << have;
      have += 8;
    }
    output[start + index] = value & mask;
    left = have - width;
    bits = byte >>> (8 - left);
  }
}

function cut(): RangeError {
  return new RangeError("run lengths end too early");
}
