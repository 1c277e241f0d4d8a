import type { Random } from "../../support/random.ts";

interface Match {
  readonly length: number;
  readonly distance: number;
}

/**
 * Returns the longest match among a few candidates. Every match ends at least `reserve` bytes before the end of the
 * input.
 */
function findMatch(bytes: Uint8Array, at: number, reserve: number, random: Random): Match {
  let best: Match = { length: 0, distance: 0 };
  for (const distance of [1, 2, 3, 5, 7, 11, 15, 16, 50, 300, 1000, 1 + random.below(2000)]) {
    if (distance > at) continue;
    let length = 0;
    while (
      at + length < bytes.length - reserve &&
      bytes[at + length] === bytes[at + length - distance]
    )
      length++;
    if (length > best.length) best = { length, distance };
  }
  return best;
}

/** Compresses an LZ4 block by the specification, slowly. Matches may refer to bytes before `from`. */
export function compressLz4(bytes: Uint8Array, random: Random, from = 0): Uint8Array {
  const out: number[] = [];
  let literals: number[] = [];
  const putLength = (length: number) => {
    let rest = length - 15;
    for (; rest >= 255; rest -= 255) out.push(255);
    out.push(rest);
  };
  const putLiterals = (match: number) => {
    out.push((Math.min(15, literals.length) << 4) | Math.min(15, match));
    if (literals.length >= 15) putLength(literals.length);
    out.push(...literals);
    literals = [];
  };
  let at = from;
  while (at < bytes.length) {
    const { length, distance } = findMatch(bytes, at, 5, random);
    if (length < 4) {
      literals.push(bytes[at++]!);
      continue;
    }
    putLiterals(length - 4);
    out.push(distance & 255, distance >> 8);
    if (length - 4 >= 15) putLength(length - 4);
    at += length;
  }
  putLiterals(0);
  return Uint8Array.from(out);
}

/** Compresses a Snappy block by the specification, with all kinds of literals and copies. */
export function compressSnappy(bytes: Uint8Array, random: Random): Uint8Array {
  const out: number[] = [];
  let size = bytes.length;
  for (; size > 127; size >>>= 7) out.push((size & 127) | 128);
  out.push(size);
  let literals: number[] = [];
  const putLiterals = () => {
    if (literals.length === 0) return;
    const rest = literals.length - 1;
    const width =
      rest < 60 && random.chance(0.9) ? 0 : random.pick(rest < 256 ? [1, 2, 3, 4] : [2, 3, 4]);
    out.push(width === 0 ? rest << 2 : (59 + width) << 2);
    for (let byte = 0; byte < width; byte++) out.push((rest >>> (byte * 8)) & 255);
    out.push(...literals);
    literals = [];
  };
  let at = 0;
  while (at < bytes.length) {
    const match = findMatch(bytes, at, 0, random);
    const { distance } = match;
    const length = Math.min(match.length, 64);
    if (length < 1 || random.chance(0.1)) {
      literals.push(bytes[at++]!);
      continue;
    }
    putLiterals();
    if (length >= 4 && length <= 11 && distance < 2048 && random.chance(0.5))
      out.push(((distance >> 8) << 5) | ((length - 4) << 2) | 1, distance & 255);
    else if (random.chance(0.7)) out.push(((length - 1) << 2) | 2, distance & 255, distance >> 8);
    else out.push(((length - 1) << 2) | 3, distance & 255, distance >> 8, 0, 0);
    at += length;
  }
  putLiterals();
  return Uint8Array.from(out);
}
