/**
 * Returns whether the bytes at an address equal the wanted bytes. Compares eight bytes at a time and ignores the
 * padding after the wanted bytes.
 */
function isHere(at: usize, length: usize, wanted: usize, ignored: usize): bool {
  for (let index: usize = 0; index < length; index += 8) {
    const found = load<u64>(at + index) | load<u64>(ignored + index);
    if (found !== load<u64>(wanted + index)) return false;
  }
  return true;
}

/**
 * Compares the first and the last wanted byte with sixteen positions at a time. Once a string passes, its remaining
 * bytes are skipped.
 */
export function containing(
  bytes: usize,
  starts: usize,
  count: i32,
  wanted: usize,
  ignored: usize,
  length: usize,
  passes: usize,
): void {
  const firstWanted = i8x16.splat(load<i8>(wanted));
  const firstIgnored = i8x16.splat(load<i8>(ignored));
  const lastWanted = i8x16.splat(load<i8>(wanted + length - 1));
  const lastIgnored = i8x16.splat(load<i8>(ignored + length - 1));
  const from = bytes + <usize>load<u32>(starts);
  const until = bytes + <usize>load<u32>(starts + ((<usize>count) << 2));
  let textEnd = starts + 4;
  let end = bytes + <usize>load<u32>(textEnd);
  memory.fill(passes, 0, <usize>count);
  for (let at = from; at + length <= until;) {
    const firsts = i8x16.eq(v128.or(v128.load(at), firstIgnored), firstWanted);
    const lasts = i8x16.eq(v128.or(v128.load(at + length - 1), lastIgnored), lastWanted);
    let places = i8x16.bitmask(v128.and(firsts, lasts));
    let next = at + 16;
    while (places !== 0) {
      const place = at + <usize>ctz(places);
      places &= places - 1;
      if (place + length > until) break;
      while (end <= place) {
        textEnd += 4;
        end = bytes + <usize>load<u32>(textEnd);
      }
      if (place + length > end || !isHere(place, length, wanted, ignored)) continue;
      store<u8>(passes + ((textEnd - starts - 4) >> 2), 1);
      next = end;
      break;
    }
    at = next;
  }
}

/** Compares the wanted bytes with the start of each string, or with the last bytes of the string. */
export function adjoining(
  bytes: usize,
  starts: usize,
  count: i32,
  wanted: usize,
  ignored: usize,
  length: usize,
  isAtEnd: i32,
  passes: usize,
): void {
  let start = bytes + <usize>load<u32>(starts);
  for (let code: usize = 0; code < <usize>count; code++) {
    const end = bytes + <usize>load<u32>(starts + (code << 2), 4);
    const at = isAtEnd ? end - length : start;
    const isLong = end - start >= length;
    store<u8>(passes + code, isLong && isHere(at, length, wanted, ignored) ? 1 : 0);
    start = end;
  }
}
