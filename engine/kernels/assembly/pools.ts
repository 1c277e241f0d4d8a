/** The state of a pool of strings, as described in `decoders.ts`. */
@unmanaged
export class Pool {
  count: u32;
  usedBytes: u32;
  slots: u32;
  slotMask: u32;
  hashes: u32;
  ends: u32;
  bytes: u32;
  countLimit: u32;
  bytesLimit: u32;
  /** The reason why the last call stopped. */
  status: u32;
  /** Sum of the bytes read ahead, which is stored so that the compiler does not remove the reads. */
  ahead: u32;
}

export const done: u32 = 0;
export const full: u32 = 1;
export const crowded: u32 = 2;

export const probeLimit: u32 = 64;
export const none: u32 = 0xffffffff;

function mixWord(hash: u32, word: u32): u32 {
  const mixed = (hash ^ word) * 0x9e3779b1;
  return mixed ^ (mixed >> 15);
}

/** Computes the same hash as `hashBytes`. */
export function hashText(at: usize, length: u32): u32 {
  let hash = length;
  const end = at + (length & ~3);
  for (; at < end; at += 4) hash = mixWord(hash, load<u32>(at));
  const tail = length & 3;
  if (tail > 0) hash = mixWord(hash, load<u32>(at) & ((1 << (tail << 3)) - 1));
  const mixed = (hash ^ (hash >> 16)) * 0x85ebca6b;
  return mixed ^ (mixed >> 13);
}

export function isSame(left: usize, right: usize, length: u32): bool {
  while (length > 16) {
    if (v128.any_true(v128.xor(v128.load(left), v128.load(right)))) return false;
    left += 16;
    right += 16;
    length -= 16;
  }
  const wanted = (1 << length) - 1;
  return (i8x16.bitmask(i8x16.eq(v128.load(left), v128.load(right))) & wanted) === wanted;
}

function startOf(pool: Pool, code: u32): u32 {
  return code === 0 ? 0 : load<u32>(pool.ends + ((code - 1) << 2));
}

/** Copies whole blocks of 16 bytes. The bytes after the end are overwritten later, or are padding. */
export function copyText(to: usize, from: usize, length: u32): void {
  const end = to + length;
  for (; to < end; to += 16) {
    v128.store(to, v128.load(from));
    from += 16;
  }
}

/** Adds a string without giving it a slot, and returns its code; `none` if the pool is full. */
export function addToPool(pool: Pool, at: usize, length: u32, hash: u32): u32 {
  const code = pool.count;
  const start = pool.usedBytes;
  if (code >= pool.countLimit || length > pool.bytesLimit - start) {
    pool.status = full;
    return none;
  }
  copyText(pool.bytes + start, at, length);
  pool.usedBytes = start + length;
  store<u32>(pool.ends + (code << 2), start + length);
  store<u32>(pool.hashes + (code << 2), hash);
  pool.count = code + 1;
  return code;
}

export function intern(pool: Pool, at: usize, length: u32, hash: u32): u32 {
  const slots = <usize>pool.slots;
  const mask = pool.slotMask;
  for (let probe: u32 = 0; probe < probeLimit; probe++) {
    const slot = slots + (((hash + probe) & mask) << 2);
    const entry = load<u32>(slot);
    if (entry === 0) {
      const code = addToPool(pool, at, length, hash);
      if (code !== none) store<u32>(slot, code + 1);
      return code;
    }
    const code = entry - 1;
    if (load<u32>(pool.hashes + (code << 2)) !== hash) continue;
    const start = startOf(pool, code);
    if (
      load<u32>(pool.ends + (code << 2)) - start === length &&
      isSame(pool.bytes + start, at, length)
    )
      return code;
  }
  pool.status = crowded;
  return none;
}
