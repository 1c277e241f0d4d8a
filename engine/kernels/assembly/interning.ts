import {
  addToPool,
  copyText,
  crowded,
  done,
  full,
  hashText,
  isSame,
  none,
  Pool,
  probeLimit,
} from "./pools";

const outside: u32 = 3;

export function clearBytes(at: usize, sizeBytes: usize): void {
  memory.fill(at, 0, sizeBytes);
}

export function addText(poolAt: usize, at: usize, length: u32): u32 {
  return addToPool(changetype<Pool>(poolAt), at, length, hashText(at, length));
}

/** Number of rows whose slots are read together before any of these slots is needed. */
const rowsAhead: u32 = 64;

/** Interns each string as `intern` does, but inlined and with the pool's state in local variables. */
export function internTexts(
  poolAt: usize,
  source: usize,
  sizeBytes: u32,
  starts: usize,
  ends: usize,
  levels: usize,
  count: u32,
  codes: usize,
): u32 {
  const pool = changetype<Pool>(poolAt);
  pool.status = done;
  const slots = <usize>pool.slots;
  const slotMask = pool.slotMask;
  const poolEnds = <usize>pool.ends;
  const poolBytes = <usize>pool.bytes;
  const poolHashes = <usize>pool.hashes;
  const bytesLimit = pool.bytesLimit;
  const countLimit = pool.countLimit;
  let textCount = pool.count;
  let used = pool.usedBytes;
  let ahead: u32 = 0;
  let row: u32 = 0;
  for (; row < count; row++) {
    if (row === ahead) {
      ahead = min(row + rowsAhead, count);
      let sum: u32 = 0;
      for (let next = row; next < ahead; next++) {
        if (levels !== 0 && load<u8>(levels + next) === 0) continue;
        const start = load<u32>(starts + (next << 2));
        const end = load<u32>(ends + (next << 2));
        if (start > end || end > sizeBytes) continue;
        const hash = hashText(source + start, end - start);
        store<u32>(codes + (next << 2), hash);
        sum |= load<u32>(slots + ((hash & slotMask) << 2));
      }
      pool.ahead = sum;
    }
    const place = codes + (row << 2);
    if (levels !== 0 && load<u8>(levels + row) === 0) {
      store<i32>(place, -1);
      continue;
    }
    const start = load<u32>(starts + (row << 2));
    const end = load<u32>(ends + (row << 2));
    if (start > end || end > sizeBytes) {
      pool.status = outside;
      break;
    }
    const length = end - start;
    const at = source + start;
    const hash = load<u32>(place);
    let slot = hash & slotMask;
    let entry = load<u32>(slots + (slot << 2));
    let probes: u32 = probeLimit;
    let code: u32 = none;
    while (entry !== 0) {
      const known = entry - 1;
      if (load<u32>(poolHashes + (known << 2)) === hash) {
        const from = known === 0 ? 0 : load<u32>(poolEnds + (known << 2) - 4);
        if (
          load<u32>(poolEnds + (known << 2)) - from === length &&
          isSame(poolBytes + from, at, length)
        ) {
          code = known;
          break;
        }
      }
      if (--probes === 0) break;
      slot = (slot + 1) & slotMask;
      entry = load<u32>(slots + (slot << 2));
    }
    if (code === none) {
      if (probes === 0) {
        pool.status = crowded;
        break;
      }
      if (textCount >= countLimit || length > bytesLimit - used) {
        pool.status = full;
        break;
      }
      copyText(poolBytes + used, at, length);
      used += length;
      store<u32>(poolEnds + (textCount << 2), used);
      store<u32>(poolHashes + (textCount << 2), hash);
      code = textCount++;
      store<u32>(slots + (slot << 2), textCount);
    }
    store<u32>(place, code);
  }
  pool.count = textCount;
  pool.usedBytes = used;
  return row;
}

export function rehashTexts(poolAt: usize, from: u32): u32 {
  const pool = changetype<Pool>(poolAt);
  for (let code = from; code < pool.count; code++) {
    const hash = load<u32>(pool.hashes + (code << 2));
    let probe: u32 = 0;
    for (; probe < probeLimit; probe++) {
      const slot = pool.slots + (((hash + probe) & pool.slotMask) << 2);
      if (load<u32>(slot) !== 0) continue;
      store<u32>(slot, code + 1);
      break;
    }
    if (probe === probeLimit) return code;
  }
  return pool.count;
}

export function splitByteArrays(
  source: usize,
  sizeBytes: u32,
  from: u32,
  count: u32,
  starts: usize,
  ends: usize,
): u32 {
  let at = from;
  for (let index: u32 = 0; index < count; index++) {
    if (sizeBytes - at < 4) return none;
    const size = load<u32>(source + at);
    at += 4;
    if (size > sizeBytes - at) return none;
    store<u32>(starts + (index << 2), at);
    at += size;
    store<u32>(ends + (index << 2), at);
  }
  return at;
}

export function placeTexts(
  offsets: usize,
  count: u32,
  sizeBytes: u32,
  from: u32,
  starts: usize,
  ends: usize,
): void {
  for (let index: u32 = 0; index < count; index++) {
    const start = load<u32>(offsets + (index << 2));
    const end = load<u32>(offsets + (index << 2), 4);
    const isInside = start <= end && end <= sizeBytes;
    store<u32>(starts + (index << 2), isInside ? from + start : none);
    store<u32>(ends + (index << 2), isInside ? from + end : 0);
  }
}
