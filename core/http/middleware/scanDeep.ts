import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
} from "../../base/index.ts";

/** The level of the rows of a push. */
export const deep = 3;

const value = 1;
const opening = 2;
const closing = 3;
const member = 4;
const text = 5;
/** What each byte outside of strings means; 0 for bytes without a meaning. */
const kinds = new Uint8Array(256);
kinds[comma] = value;
kinds[openBracket] = kinds[openBrace] = opening;
kinds[closeBracket] = kinds[closeBrace] = closing;
kinds[colon] = member;
kinds[quote] = text;

interface DeepScanOptions {
  /** Offset of the first byte, which must be outside of strings. */
  readonly from: number;
  /** Level of the first byte: at least `deep`. */
  readonly depth: number;
  /** Maximum level. */
  readonly deepest: number;
  /** Maximum bytes of a string. */
  readonly textBytes: number;
}

/** The result of `scanDeep`. */
export interface DeepScan {
  /** Offset of the first byte that was not scanned. */
  readonly at: number;
  readonly depth: number;
  /** Numbers of values and member names in the scanned bytes. */
  readonly valueCount: number;
  readonly nameCount: number;
}

/**
 * Scans JSON from a byte outside of strings, at level `deep` or below. Stops at the first byte that needs more care:
 * the end of level `deep`, a string with escapes, or one that exceeds a limit or the part. Most bytes of large bodies
 * are scanned here. Takes 1 to 2 ms per MB.
 */
export function scanDeep(
  part: Uint8Array,
  { from, depth, deepest, textBytes }: DeepScanOptions,
): DeepScan {
  const end = part.length;
  const view = new DataView(part.buffer, part.byteOffset, end);
  let at = from;
  let level = depth;
  let valueCount = 0;
  let nameCount = 0;
  for (; at < end; at++) {
    const kind = kinds[part[at]!];
    if (kind === 0) continue;
    if (kind === value) valueCount++;
    else if (kind === text) {
      let close = at + 1;
      while (close + 4 <= end && !hasEnding(view.getInt32(close, true))) close += 4;
      while (close < end && part[close] !== 0x22 && part[close] !== 0x5c) close++;
      if (close >= end || part[close] === backslash || close - at > textBytes) break;
      at = close;
    } else if (kind === opening) {
      if (level === deepest) break;
      level++;
      valueCount++;
    } else if (kind === closing) {
      if (level === deep) break;
      level--;
    } else nameCount++;
  }
  return { at, depth: level, valueCount, nameCount };
}

/**
 * Returns whether one of four bytes is a quote (0x22) or a backslash (0x5c). XOR turns such a byte into 0, and only a
 * byte that is 0 gets a high bit when 1 is subtracted that it did not have before. The constants are written out,
 * because V8 does not fold those of other modules.
 */
function hasEnding(four: number): boolean {
  const quotes = four ^ 0x22222222;
  const escapes = four ^ 0x5c5c5c5c;
  const found = ((quotes - 0x01010101) & ~quotes) | ((escapes - 0x01010101) & ~escapes);
  return (found & 0x80808080) !== 0;
}
