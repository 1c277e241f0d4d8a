function unpackHybrid<T>(at: usize, end: usize, width: u32, count: u32, to: usize): bool {
  const last = to + count * sizeof<T>();
  const mask: u64 = ((<u64>1) << width) - 1;
  const runBytes = (width + 7) >> 3;
  while (to < last) {
    let header: u32 = 0;
    let shift: u32 = 0;
    let byte: u32;
    do {
      if (at >= end || shift > 28) return false;
      byte = load<u8>(at++);
      header |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte >= 0x80);
    const left = <u32>((last - to) / sizeof<T>());
    if ((header & 1) === 0) {
      const run = min(header >> 1, left);
      if (runBytes > end - at) return false;
      const value = <T>(load<u64>(at) & (((<u64>1) << (runBytes << 3)) - 1));
      at += runBytes;
      const runEnd = to + run * sizeof<T>();
      for (; to < runEnd; to += sizeof<T>()) store<T>(to, value);
      continue;
    }
    const packedBytes = <u64>(header >> 1) * width;
    const run = <u32>min(<u64>(header >> 1) * 8, <u64>left);
    if ((<u64>run * width + 7) >> 3 > <u64>(end - at)) return false;
    let from = at;
    const runEnd = to + run * sizeof<T>();
    // Eight values take `width` bytes.
    for (let group = to; group < runEnd; group += 8 * sizeof<T>()) {
      for (let index: u32 = 0; index < 8; index++) {
        const bit = index * width;
        store<T>(
          group + index * sizeof<T>(),
          <T>((load<u64>(from + (bit >> 3)) >> (bit & 7)) & mask),
        );
      }
      from += width;
    }
    to = runEnd;
    at += <usize>min(packedBytes, <u64>(end - at));
  }
  return true;
}

export function unpackIndices(at: usize, end: usize, width: u32, count: u32, to: usize): bool {
  return unpackHybrid<u32>(at, end, width, count, to);
}

export function unpackLevels(at: usize, end: usize, count: u32, to: usize): bool {
  return unpackHybrid<u8>(at, end, 1, count, to);
}

export function expandBits(bits: usize, firstBit: u32, count: u32, levels: usize): void {
  for (let row: u32 = 0; row < count; row++) {
    const bit = firstBit + row;
    store<u8>(levels + row, (load<u8>(bits + (bit >> 3)) >> <u8>(bit & 7)) & 1);
  }
}

export function countLevels(levels: usize, count: u32): u32 {
  let found: u32 = 0;
  for (let row: u32 = 0; row < count; row++) found += <u32>(load<u8>(levels + row) !== 0);
  return found;
}

function spread<T>(values: usize, levels: usize, count: u32, none: T, to: usize): void {
  for (let row: u32 = 0; row < count; row++) {
    const isValue = load<u8>(levels + row) !== 0;
    store<T>(to, isValue ? load<T>(values) : none);
    to += sizeof<T>();
    values += isValue ? sizeof<T>() : 0;
  }
}

export function spreadDoubles(values: usize, levels: usize, count: u32, to: usize): void {
  spread<f64>(values, levels, count, NaN, to);
}

export function spreadCodes(values: usize, levels: usize, count: u32, to: usize): void {
  spread<i32>(values, levels, count, -1, to);
}

export function widenIndices<T>(from: usize, count: u32, to: usize): void {
  for (let row: u32 = 0; row < count; row++)
    store<i32>(to + (row << 2), <i32>load<T>(from + row * sizeof<T>()));
}

/**
 * Narrows 64-bit indices to 32 bits. An index that does not fit becomes the greatest index, which no dictionary
 * contains.
 */
export function widenIndices64(from: usize, count: u32, to: usize): void {
  for (let row: u32 = 0; row < count; row++)
    store<u32>(to + (row << 2), <u32>min(load<u64>(from + (row << 3)), <u64>0xffffffff));
}

export function gatherDoubles(
  entries: usize,
  entryCount: u32,
  indices: usize,
  levels: usize,
  count: u32,
  to: usize,
): u32 {
  for (let row: u32 = 0; row < count; row++) {
    if (levels !== 0 && load<u8>(levels + row) === 0) {
      store<f64>(to + (row << 3), NaN);
      continue;
    }
    const index = load<u32>(indices + (row << 2));
    if (index >= entryCount) return row;
    store<f64>(to + (row << 3), load<f64>(entries + (index << 3)));
  }
  return count;
}
