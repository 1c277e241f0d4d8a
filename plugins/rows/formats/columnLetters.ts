/** Returns the letters of a column in a sheet, such as `A` for index 0 and `AB` for index 27. */
export function letterOf(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : letterOf(Math.floor(index / 26) - 1) + letter;
}

/** Returns the column index of a reference such as `B7` or `AB12`. -1 if it is not a reference. O(letters). */
export function columnOf(reference: string): number {
  let column = 0;
  let at = 0;
  for (; at < reference.length && at < mostLetters; at++) {
    const letter = (reference.charCodeAt(at) | 32) - 96;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return /^\d*$/.test(reference.slice(at)) ? column - 1 : -1;
}

const mostLetters = 4;
