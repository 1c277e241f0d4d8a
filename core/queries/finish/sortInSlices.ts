/** Number of string comparisons that take a fraction of a millisecond. */
const comparisonsPerStep = 512;
const runLength = 8;

/**
 * Sorts the numbers from 0 to `length - 1` by a comparison. Numbers that compare equal are in ascending order. Yields
 * every few hundred comparisons. Sorts short runs by insertion, then merges them bottom up between two arrays. O(length
 * log length).
 */
export function* sortInSlices(
  length: number,
  compare: (one: number, other: number) => number,
): Generator<undefined, Uint32Array> {
  let source = new Uint32Array(length);
  for (let index = 0; index < length; index++) source[index] = index;
  for (let from = 0; from < length; from += runLength) {
    sortRun(source, from, Math.min(length, from + runLength), compare);
    if (from % comparisonsPerStep === 0) yield;
  }
  let target = new Uint32Array(length);
  let left = comparisonsPerStep;
  for (let width = runLength; width < length; width *= 2) {
    for (let from = 0; from < length; from += width * 2) {
      const middle = Math.min(length, from + width);
      const to = Math.min(length, middle + width);
      let one = from;
      let other = middle;
      for (let place = from; place < to; place++) {
        const isOne =
          other >= to || (one < middle && compare(source[one] ?? 0, source[other] ?? 0) <= 0);
        target[place] = (isOne ? source[one++] : source[other++]) ?? 0;
        if (--left > 0) continue;
        yield;
        left = comparisonsPerStep;
      }
    }
    [source, target] = [target, source];
  }
  return source;
}

function sortRun(
  numbers: Uint32Array,
  from: number,
  to: number,
  compare: (one: number, other: number) => number,
): void {
  for (let index = from + 1; index < to; index++) {
    const number = numbers[index] ?? 0;
    let place = index;
    for (; place > from && compare(numbers[place - 1] ?? 0, number) > 0; place--)
      numbers[place] = numbers[place - 1] ?? 0;
    numbers[place] = number;
  }
}
