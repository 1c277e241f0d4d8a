/** The result for a damaged block. It is not a valid address. */
const damaged: usize = <usize>-1;

/** Copies bytes, up to 15 more than `length`, from `distance` bytes earlier. `distance` may be less than `length`. */
function copyBack(to: usize, distance: u32, length: u32): void {
  const end = to + length;
  let from = to - distance;
  if (distance >= 16) {
    do {
      v128.store(to, v128.load(from));
      to += 16;
      from += 16;
    } while (to < end);
    return;
  }
  if (distance < 8) {
    for (let byte: usize = 0; byte < 8; byte++) store<u8>(to + byte, load<u8>(from + byte));
    // Bytes that repeat after `distance` also repeat after every multiple of `distance`. The first multiple that is at
    // least 8
    // has already been written.
    to += 8;
    from = to - (7 / distance + 1) * distance;
  }
  while (to < end) {
    store<u64>(to, load<u64>(from));
    to += 8;
    from += 8;
  }
}

function copyAhead(to: usize, from: usize, length: u32): void {
  if (length > 256) {
    memory.copy(to, from, length);
    return;
  }
  const end = to + length;
  do {
    v128.store(to, v128.load(from));
    to += 16;
    from += 16;
  } while (to < end);
}

/** Decompresses an LZ4 block. Source: https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md */
export function decompressLz4(at: usize, end: usize, base: usize, to: usize, limit: usize): usize {
  while (at < end) {
    const token = <u32>load<u8>(at++);
    let literals = token >> 4;
    if (literals === 15) {
      let more: u32;
      do {
        if (at >= end || literals > 0x7fffffff) return damaged;
        more = load<u8>(at++);
        literals += more;
      } while (more === 255);
    }
    if (literals > end - at || literals > limit - to) return damaged;
    if (literals > 0) copyAhead(to, at, literals);
    at += literals;
    to += literals;
    if (at === end) return to;
    if (end - at < 2) return damaged;
    const distance = <u32>load<u16>(at);
    at += 2;
    let length = (token & 15) + 4;
    if (length === 19) {
      let more: u32;
      do {
        if (at >= end || length > 0x7fffffff) return damaged;
        more = load<u8>(at++);
        length += more;
      } while (more === 255);
    }
    if (distance === 0 || distance > to - base || length > limit - to) return damaged;
    copyBack(to, distance, length);
    to += length;
  }
  return to;
}

/** Decompresses a Snappy block. Source: https://github.com/google/snappy/blob/main/format_description.txt */
export function decompressSnappy(at: usize, end: usize, to: usize, limit: usize): usize {
  const base = to;
  // Skips the leading size, which the caller already knows.
  while (at < end && load<u8>(at) >= 128) at++;
  at++;
  while (at < end) {
    const tag = <u32>load<u8>(at++);
    const kind = tag & 3;
    let length = (tag >> 2) + 1;
    if (kind === 0) {
      if (length > 60) {
        const width = length - 60;
        if (width > end - at) return damaged;
        length = load<u32>(at) & (0xffffffff >> ((4 - width) << 3));
        if (length === 0xffffffff) return damaged;
        length++;
        at += width;
      }
      if (length > end - at || length > limit - to) return damaged;
      copyAhead(to, at, length);
      at += length;
      to += length;
      continue;
    }
    const width: u32 = kind === 3 ? 4 : kind;
    if (width > end - at) return damaged;
    let distance: u32;
    if (kind === 1) {
      length = ((tag >> 2) & 7) + 4;
      distance = ((tag >> 5) << 8) | load<u8>(at);
    } else distance = kind === 2 ? load<u16>(at) : load<u32>(at);
    at += width;
    if (distance === 0 || distance > to - base || length > limit - to) return damaged;
    copyBack(to, distance, length);
    to += length;
  }
  return to;
}
