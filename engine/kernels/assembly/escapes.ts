const quote: u32 = 34;
const backslash: u32 = 92;
/** The result of `unescape` for an invalid escape. */
export const noText: u32 = 0xffffffff;
/** The highest bit of a length, which marks a string with a lone surrogate. */
export const loneBit: u32 = 0x80000000;

/** Returns the character for the escape `\x`; 0 if there is no such escape. */
function plainOf(escaped: u32): u32 {
  switch (escaped) {
    case quote:
    case backslash:
    case 47:
      return escaped;
    case 98:
      return 8;
    case 102:
      return 12;
    case 110:
      return 10;
    case 114:
      return 13;
    case 116:
      return 9;
    default:
      return 0;
  }
}

/** Returns the number that four hexadecimal digits represent; a number above 0xffff if a byte is not a digit. */
function fourDigits(at: usize): u32 {
  let value: u32 = 0;
  for (let place: usize = 0; place < 4; place++) {
    const byte = <u32>load<u8>(at + place);
    let digit = byte - 48;
    if (digit > 9) {
      digit = (byte | 32) - 97;
      if (digit > 5) return 0x10000;
      digit += 10;
    }
    value = (value << 4) | digit;
  }
  return value;
}

/** Writes a code point as UTF-8, and a surrogate as three bytes. Returns the end address. */
function putPoint(to: usize, point: u32): usize {
  if (point < 0x80) {
    store<u8>(to, point);
    return to + 1;
  }
  if (point < 0x800) {
    store<u8>(to, 0xc0 | (point >> 6));
    store<u8>(to, 0x80 | (point & 0x3f), 1);
    return to + 2;
  }
  if (point < 0x10000) {
    store<u8>(to, 0xe0 | (point >> 12));
    store<u8>(to, 0x80 | ((point >> 6) & 0x3f), 1);
    store<u8>(to, 0x80 | (point & 0x3f), 2);
    return to + 3;
  }
  store<u8>(to, 0xf0 | (point >> 18));
  store<u8>(to, 0x80 | ((point >> 12) & 0x3f), 1);
  store<u8>(to, 0x80 | ((point >> 6) & 0x3f), 2);
  store<u8>(to, 0x80 | (point & 0x3f), 3);
  return to + 4;
}

/**
 * Decodes the JSON string between two addresses to `to`. The result is never longer than the input. Returns its length,
 * with `loneBit` if it applies, or `noText` for an invalid escape.
 */
export function unescape(from: usize, end: usize, to: usize): u32 {
  const start = to;
  let lone: u32 = 0;
  for (let at = from; at < end;) {
    const byte = <u32>load<u8>(at);
    if (byte !== backslash) {
      store<u8>(to++, byte);
      at++;
      continue;
    }
    const escaped = <u32>load<u8>(at, 1);
    if (escaped !== 117) {
      const plain = plainOf(escaped);
      if (plain === 0) return noText;
      store<u8>(to++, plain);
      at += 2;
      continue;
    }
    let point = fourDigits(at + 2);
    if (point > 0xffff) return noText;
    at += 6;
    if (point >> 10 === 0x36 && load<u16>(at) === 0x755c) {
      const low = fourDigits(at + 2);
      if (low >> 10 === 0x37) {
        point = 0x10000 + ((point & 0x3ff) << 10) + (low & 0x3ff);
        at += 6;
      }
    }
    if (point >> 11 === 0x1b) lone = loneBit;
    to = putPoint(to, point);
  }
  return <u32>(to - start) | lone;
}
