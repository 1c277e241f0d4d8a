import { vectorSize } from "../../kernels/kernels.ts";
import type { BoundDistinct, BoundGrouping } from "../../plan/boundPlan.ts";
import { compileDistinctCodes } from "../folds/distinctCodes.ts";
import type { Numbering } from "../keys/numbering.ts";
import type { Compilation, Vector } from "../rows/compilation.ts";
import { compileVector } from "../rows/vectors.ts";
import type { Heap } from "../task/heap.ts";
import {
  groupShiftOf,
  pairKeysOf,
  partBitsOf,
  type PairPart,
  type RecordedPairs,
} from "./pairParts.ts";
import { PairRecorder } from "./pairRecorder.ts";

/** Where pairs of groups and values are recorded. */
export interface RecordPlace {
  readonly heap: Heap;
  /** Number of rows of the table, which determines the number of parts. */
  readonly rowCount: number;
}

/** Records the pairs of group and value of those aggregates that have no states in the workspace. */
interface Recorders {
  fold(): void;
  /** Returns the recorded pairs. Call it once, after all rows. */
  take(): RecordedPairs;
}

/** Compiles the recording of pairs; returns undefined if no aggregate of the grouping needs them. */
export function compileRecorders(
  grouping: BoundGrouping,
  { heap, rowCount }: RecordPlace,
  numbering: Numbering,
  compilation: Compilation,
): Recorders | undefined {
  const { paired, capacity } = grouping;
  if (!paired || paired.distincts.length + paired.quantiles.length === 0) return undefined;
  const { source } = compilation;
  const partBits = partBitsOf(rowCount);
  const groupShift = groupShiftOf(capacity, partBits);
  const distincts = paired.distincts.map((index) => {
    const distinct = grouping.distincts[index];
    const keys = pairKeysOf(distinct, capacity);
    const valueBytes = distinct.kind === "number" ? 8 : 4;
    const recorder = new PairRecorder(heap, { keys, by: "hash", partBits, groupShift });
    return { vector: compileValues(distinct, capacity, compilation), valueBytes, recorder };
  });
  const quantiles = paired.quantiles.map((index) => ({
    vector: compileVector(grouping.quantiles[index].of, -1, compilation),
    valueBytes: 8,
    recorder: new PairRecorder(heap, { keys: undefined, by: "group", partBits, groupShift }),
  }));
  const recorders = [...distincts, ...quantiles];
  let scratch: { readonly groups: number; readonly values: number } | undefined;
  const copy = (from: number, sizeBytes: number, to: number): void => {
    heap.arena.u8.set(source.arena.u8.subarray(from, from + sizeBytes), to);
  };
  const takeEach = (
    indices: readonly number[],
    recorded: typeof recorders,
    count: number,
  ): readonly (readonly PairPart[])[] => {
    const parts: (readonly PairPart[])[] = Array.from({ length: count }, () => []);
    recorded.forEach(({ recorder }, index) => {
      parts[indices[index]] = recorder.take();
    });
    return parts;
  };
  return {
    fold: () => {
      scratch ??= { groups: heap.reserve(vectorSize * 4), values: heap.reserve(vectorSize * 8) };
      const { groups, values } = scratch;
      copy(numbering.read(), source.rowCount * 4, groups);
      for (const { vector, valueBytes, recorder } of recorders) {
        copy(vector.read(), source.rowCount * valueBytes, values);
        recorder.add(groups, values, source.rowCount, numbering.constant);
      }
    },
    take: () => ({
      distincts: takeEach(paired.distincts, distincts, grouping.distincts.length),
      quantiles: takeEach(paired.quantiles, quantiles, grouping.quantiles.length),
    }),
  };
}

/** Compiles the values that a distinct count reads: codes with 0 for null, or doubles. */
function compileValues(
  distinct: BoundDistinct,
  capacity: number,
  compilation: Compilation,
): Vector {
  if (distinct.kind === "number") {
    const decimals = pairKeysOf(distinct, capacity) ? (distinct.whole?.decimals ?? -1) : -1;
    return compileVector(distinct.of, decimals, compilation);
  }
  if (distinct.kind !== "computed") return compileDistinctCodes(distinct, compilation);
  throw new RangeError("directly numbered groups do not count computed strings");
}
