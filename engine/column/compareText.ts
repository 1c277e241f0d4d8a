/** Compares two texts by code point: negative, 0 or positive. JavaScript's `<` compares UTF-16 units, which differs above U+D7FF. */
export function compareText(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  let index = 0;
  while (index < length && left.charCodeAt(index) === right.charCodeAt(index)) index++;
  if (index === length) return left.length - right.length;
  return weigh(left.charCodeAt(index)) - weigh(right.charCodeAt(index));
}

/** Moves surrogates above all other units, where the code points that they stand for belong. */
function weigh(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}
