/**
 * Merges two ordered lists of codes into `merged`; the second list is usually shorter. A galloping search (doubling
 * steps, then halving) finds the position of each code of the second list, so merging few codes into many takes few
 * comparisons.
 */
export function mergeOrders(
  known: Int32Array,
  added: Int32Array,
  compare: (left: number, right: number) => number,
  merged: Int32Array,
): void {
  let taken = 0;
  for (let index = 0; index < added.length; index++) {
    const code = added[index];
    let from = taken;
    let step = 1;
    while (from + step <= known.length && compare(known[from + step - 1], code) < 0) {
      from += step;
      step *= 2;
    }
    let until = Math.min(known.length, from + step - 1);
    while (from < until) {
      const middle = (from + until) >>> 1;
      if (compare(known[middle], code) < 0) from = middle + 1;
      else until = middle;
    }
    for (; taken < from; taken++) merged[taken + index] = known[taken];
    merged[taken + index] = code;
  }
  for (; taken < known.length; taken++) merged[taken + added.length] = known[taken];
}
