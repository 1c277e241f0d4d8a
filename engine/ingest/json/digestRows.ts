import { createHash } from "node:crypto";

const quote = 34;
const comma = 44;
const minus = 45;
const point = 46;
const zero = 48;
const nine = 57;
const openList = 91;
const backslash = 92;
const closeList = 93;
const lineFeed = 10;

/**
 * Maximum number of digits of a number that is written the same way after it was read. A decimal with 15 digits is the
 * shortest for its double.
 */
const exactDigits = 15;

/**
 * Returns the SHA-256, in Base64, of a prefix and the rows of a JSON array, each as `JSON.stringify` writes it,
 * followed by a line feed. The digest therefore does not depend on white space or on the notation of numbers and
 * strings. The JSON must be valid, and the rows must be lists of numbers, strings and nulls. Most clients write rows as
 * `JSON.stringify` does, so that only the separators of their rows are replaced.
 */
export function digestRows(bytes: Uint8Array, prefix: string): string {
  const hash = createHash("sha256").update(prefix);
  const copy = Buffer.from(bytes);
  /** Beginning of the rows that have not been hashed yet, in `copy`. */
  let from = -1;
  const flush = (end: number) => {
    if (from >= 0) hash.update(copy.subarray(from, end));
    from = -1;
  };
  const end = bytes.length;
  let at = bytes.indexOf(openList) + 1;
  for (;;) {
    while (at < end && bytes[at] !== openList) at++;
    if (at >= end) break;
    const row = findRow(bytes, at);
    if (row.isPlain) {
      if (from < 0) from = at;
      copy[row.end] = lineFeed;
      if (bytes[row.end + 1] !== openList) flush(row.end + 1);
    } else {
      flush(at);
      hash.update(`${JSON.stringify(JSON.parse(copy.toString("utf8", at, row.end)))}\n`);
    }
    at = row.end + 1;
  }
  return hash.digest("base64");
}

/** Finds the end of the row that starts at `start`, and whether `JSON.stringify` would write the row the same way. */
function findRow(
  bytes: Uint8Array,
  start: number,
): { readonly end: number; readonly isPlain: boolean } {
  let isPlain = true;
  let at = start + 1;
  for (let byte = bytes[at]; byte !== closeList; byte = bytes[at]) {
    if (byte === quote) {
      for (byte = bytes[++at]; byte !== quote; byte = bytes[++at])
        if (byte === backslash) {
          isPlain = false;
          at++;
        }
      at++;
    } else if (byte === minus || (byte >= zero && byte <= nine)) {
      const numberEnd = findPlainNumber(bytes, at);
      if (numberEnd < 0) {
        isPlain = false;
        at++;
      } else at = numberEnd;
    } else {
      // Letters of null are written the same way. Letters and signs of an exponent follow digits, which are not plain.
      if (byte <= 32) isPlain = false;
      at++;
    }
  }
  return { end: at + 1, isPlain };
}

/** Returns the end of a number that `JSON.stringify` would write the same way; -1 for other numbers. */
function findPlainNumber(bytes: Uint8Array, start: number): number {
  let at = start;
  if (bytes[at] === minus) at++;
  const first = at;
  while (bytes[at] >= zero && bytes[at] <= nine) at++;
  let digits = at - first;
  const isZero = digits === 1 && bytes[first] === zero;
  if (bytes[at] === point) {
    const fraction = ++at;
    while (bytes[at] >= zero && bytes[at] <= nine) at++;
    digits += at - fraction;
    // A fraction with trailing zeros is shortened, and one below 10^-6 has an exponent.
    if (bytes[at - 1] === zero || (isZero && hasZeros(bytes, fraction, at))) return -1;
  } else if (isZero && first > start) return -1;
  const isEnded = bytes[at] === comma || bytes[at] === closeList;
  return isEnded && digits <= exactDigits ? at : -1;
}

function hasZeros(bytes: Uint8Array, from: number, end: number): boolean {
  if (end - from <= 6) return false;
  for (let at = from; at < from + 6; at++) if (bytes[at] !== zero) return false;
  return true;
}
