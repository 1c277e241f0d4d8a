import {
  groupShiftOf,
  pairCountOf,
  pairKeysOf,
  partBitsOf,
  type PairPart,
} from "../operators/groups/pairParts.ts";
import type { BoundGrouping } from "../plan/boundPlan.ts";
import type { FinishPairsTask, ScanAnswer } from "./messages.ts";
import type { QueryTasks } from "./queryTasks.ts";

/** Number of pairs that one task finishes in about a millisecond. */
const pairsPerTask = 2 ** 16;

/** The results of aggregates whose pairs of group and value were recorded, by group, in shared memory. */
export interface GatheredPairs {
  /** By index of the distinct count: the counts of each task, which must be added up. Empty for other counts. */
  readonly distincts: readonly (readonly Uint32Array[])[];
  /** By index of the quantile: one array per fraction. Empty for other quantiles. */
  readonly quantiles: readonly (readonly Float64Array[])[];
}

/** Counts distinct values and computes percentiles from recorded pairs. Each thread finishes some of the parts. */
export async function gatherPairs(
  grouping: BoundGrouping,
  rowCount: number,
  answers: readonly ScanAnswer[],
  tasks: QueryTasks,
): Promise<GatheredPairs> {
  const { capacity, paired } = grouping;
  const recorded = answers.flatMap(({ results }) => results.flatMap(({ pairs }) => pairs ?? []));
  if (!paired || recorded.length === 0) return { distincts: [], quantiles: [] };
  const partBits = partBitsOf(rowCount);
  const groupsPerPart = 2 ** groupShiftOf(capacity, partBits);
  const all = recorded.flatMap(({ distincts, quantiles }) => [...distincts, ...quantiles]);
  const pairCount = all.flat().reduce((sum, part) => sum + pairCountOf(part), 0);
  const taskCount = Math.max(1, Math.min(tasks.threadCount, Math.ceil(pairCount / pairsPerTask)));
  const numbersOf = (task: number) =>
    Array.from({ length: 2 ** partBits }, (_, part) => part).filter(
      (part) => part % taskCount === task,
    );
  const partsOf = (parts: readonly (readonly PairPart[])[], task: number) =>
    numbersOf(task).map((part) => parts.map((each) => each[part]));
  const quantiles = grouping.quantiles.map(({ fractions }, index) =>
    paired.quantiles.includes(index)
      ? fractions.map(() => new Float64Array(new SharedArrayBuffer(capacity * 8)))
      : [],
  );
  const sent = Array.from({ length: taskCount }, (_, task): FinishPairsTask => ({
    kind: "finishPairs",
    control: tasks.control,
    distincts: paired.distincts.map((index) => ({
      keys: pairKeysOf(grouping.distincts[index], capacity),
      parts: partsOf(
        recorded.map(({ distincts }) => distincts[index]),
        task,
      ),
      counts: new Uint32Array(new SharedArrayBuffer(capacity * 4)),
    })),
    quantiles: paired.quantiles.map((index) => ({
      fractions: grouping.quantiles[index].fractions,
      parts: partsOf(
        recorded.map((each) => each.quantiles[index]),
        task,
      ),
      firsts: numbersOf(task).map((part) => part * groupsPerPart),
      groupsPerPart,
      columns: quantiles[index],
    })),
  }));
  await tasks.sendAll(sent);
  return {
    distincts: grouping.distincts.map((_, index) => {
      const place = paired.distincts.indexOf(index);
      return place < 0 ? [] : sent.map(({ distincts }) => distincts[place].counts);
    }),
    quantiles,
  };
}
