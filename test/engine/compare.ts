/** Compares two values of one type: numbers by size, strings by code point. */
export function compare(left: number | string, right: number | string): number {
  if (typeof left === "number" && typeof right === "number")
    return left < right ? -1 : left > right ? 1 : 0;
  const [a, b] = [String(left), String(right)].map((text) =>
    Array.from(text, (character) => character.codePointAt(0) ?? 0),
  );
  for (let index = 0; index < Math.min(a.length, b.length); index++)
    if (a[index] !== b[index]) return a[index] - b[index];
  return a.length - b.length;
}
