/**
 * Returns whether a UTF-16 unit has the Unicode property White_Space. ECMAScript's `trim` differs: it keeps U+0085 and
 * removes U+FEFF.
 */
function isWhiteSpace(unit: number): boolean {
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  if (unit < 0x1680) return unit === 0x85 || unit === 0xa0;
  if (unit >= 0x2000 && unit <= 0x200a) return true;
  return [0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000].includes(unit);
}

/** Returns a string without Unicode white space at its start. */
export function trimStart(text: string): string {
  let from = 0;
  while (from < text.length && isWhiteSpace(text.charCodeAt(from))) from++;
  return text.slice(from);
}

/** Returns a string without Unicode white space at its end. */
export function trimEnd(text: string): string {
  let until = text.length;
  while (until > 0 && isWhiteSpace(text.charCodeAt(until - 1))) until--;
  return text.slice(0, until);
}

/** Returns a string without Unicode white space at both ends. */
export function trim(text: string): string {
  return trimStart(trimEnd(text));
}
