/**
 * Returns the known name that a misspelt name most likely means: a name that differs only in case or in a few letters,
 * a name that begins with the misspelt name, or a name with which the misspelt name begins. Undefined if no known name
 * is near. O(known * length ** 2).
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  const isNear = (each: string, distance: number) =>
    distance <= Math.max(1, Math.floor(Math.min(each.length, wanted.length) / 3)) ||
    (wanted.length >= 3 &&
      (each.startsWith(wanted) || wanted.startsWith(each)) &&
      each.length >= 3);
  const [nearest] = known
    .map((each) => ({ each, distance: distanceOf(wanted, each.toLowerCase()) }))
    .filter(({ each, distance }) => isNear(each.toLowerCase(), distance))
    .toSorted((one, other) => one.distance - other.distance);
  return nearest?.each;
}

/**
 * Returns the number of steps that turn one name into another: inserting, removing or replacing a letter, or swapping
 * it with the next letter (optimal string alignment).
 */
function distanceOf(one: string, other: string): number {
  let [before, last]: [number[], number[]] = [
    [],
    Array.from({ length: other.length + 1 }, (_, at) => at),
  ];
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[row - 1] === other[at - 1];
      const isSwapped = one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      next.push(
        Math.min(
          (last[at] ?? 0) + 1,
          (next[at - 1] ?? 0) + 1,
          (last[at - 1] ?? 0) + Number(!isSame),
          isSwapped ? (before[at - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [before, last] = [last, next];
  }
  return last[other.length] ?? 0;
}
