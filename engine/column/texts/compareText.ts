/**
 * Compares two strings by code point. Returns a negative number, 0 or a positive number. JavaScript's `<` compares
 * UTF-16 units, which orders characters above U+D7FF differently. A lone surrogate counts as a code point.
 */
export function compareText(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  let index = 0;
  while (index < length && left.charCodeAt(index) === right.charCodeAt(index)) index++;
  if (index === length) return left.length - right.length;
  // The first different unit may be the second half of a surrogate pair.
  const from = index > 0 && isHighSurrogate(left.charCodeAt(index - 1)) ? index - 1 : index;
  return comparePoint(left, right, from) || comparePoint(left, right, index);
}

function comparePoint(left: string, right: string, index: number): number {
  return (left.codePointAt(index) ?? 0) - (right.codePointAt(index) ?? 0);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
