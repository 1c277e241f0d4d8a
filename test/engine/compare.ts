/** Compares two values of one type: numbers by size, texts code point by code point. */
export function compare(left: number | string, right: number | string): number {
  if (typeof left === "number" && typeof right === "number")
    return left < right ? -1 : left > right ? 1 : 0;
  const [a, b] = [String(left), String(right)].map((text) => Array.from(text, weigh));
  for (let index = 0; index < Math.min(a.length, b.length); index++)
    if (a[index] !== b[index]) return a[index] - b[index];
  return a.length - b.length;
}

/** The place of a character. Half of a surrogate pair, which is no code point, stands where the pairs do: a first half before its pairs, a second one behind all. */
function weigh(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0xd800 || point > 0xdfff) return point;
  return point < 0xdc00 ? 0x10000 + (point - 0xd800) * 0x400 - 0.5 : 0x110000 + point;
}
