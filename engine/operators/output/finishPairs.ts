import { percentile } from "../../sketches/quantile.ts";
import { pairCountOf, type PairKeys, type PairPart } from "../groups/pairParts.ts";
import { UniquePairs } from "../groups/uniquePairs.ts";
import { endIfCancelled } from "../task/cancellation.ts";
import type { Heap } from "../task/heap.ts";

/** Some of the parts of a distinct count's pairs, with the parts of all tasks under each number. */
export interface DistinctParts {
  readonly keys: PairKeys | undefined;
  readonly parts: readonly (readonly PairPart[])[];
  /** Receives the number of distinct values by group, in shared memory. The initial numbers must be 0. */
  readonly counts: Uint32Array;
}

/** Some of the parts of a percentile's pairs, with the parts of all tasks under each number. */
export interface QuantileParts {
  readonly fractions: readonly number[];
  readonly parts: readonly (readonly PairPart[])[];
  /** The groups of each part: `groupsPerPart` numbers from `firsts[part]`. */
  readonly firsts: readonly number[];
  readonly groupsPerPart: number;
  /** Receives the percentiles by group, one array per fraction, in shared memory. NaN for groups without values. */
  readonly columns: readonly Float64Array[];
}

/** Number of groups whose percentiles take a few milliseconds, unless a group has very many values. */
const groupsPerLook = 4096;

/** Counts the distinct pairs of each group. */
export function countParts({ keys, parts, counts }: DistinctParts, heap: Heap): void {
  for (const tasks of parts) {
    heap.clear();
    const unique = new UniquePairs(heap, keys);
    for (const part of tasks) unique.add(part);
    unique.count(counts);
  }
}

/** Computes the percentiles of each group. */
export function percentilesOfParts(quantile: QuantileParts): void {
  const { fractions, parts, firsts, groupsPerPart, columns } = quantile;
  parts.forEach((tasks, index) => {
    const first = firsts[index];
    const groupCount = Math.min(groupsPerPart, columns[0].length - first);
    if (groupCount <= 0) return;
    const { starts, values } = sortByGroup(tasks, first, groupCount);
    for (let group = 0; group < groupCount; group++) {
      if (group % groupsPerLook === 0) endIfCancelled();
      fractions.forEach((fraction, column) => {
        const found = percentile(values, starts[group], starts[group + 1], fraction);
        columns[column][first + group] = found;
      });
    }
  });
}

/** Places the values of each group next to each other, from `starts[group]` to before `starts[group + 1]`. */
function sortByGroup(tasks: readonly PairPart[], first: number, groupCount: number) {
  const starts = new Uint32Array(groupCount + 1);
  const values = new Float64Array(tasks.reduce((sum, part) => sum + pairCountOf(part), 0));
  const chunks = tasks.flat();
  for (const { words } of chunks) {
    endIfCancelled();
    for (let row = 0; row < words.length; row++) starts[words[row] - first + 1]++;
  }
  for (let group = 0; group < groupCount; group++) starts[group + 1] += starts[group];
  const next = starts.slice();
  for (const { words, values: found = values } of chunks) {
    endIfCancelled();
    for (let row = 0; row < words.length; row++) values[next[words[row] - first]++] = found[row];
  }
  return { starts, values };
}
