import { vectorSize } from "../../kernels/kernels.ts";
import type { BoundGrouping, BoundPlan } from "../../plan/boundPlan.ts";
import { hasOrderedStates, isOrdered } from "../../plan/orderedStates.ts";
import { slotBytes } from "../../plan/stateLayout.ts";
import { createHashFolds } from "../groups/hashFolds.ts";
import { hashInputs } from "../groups/hashInputs.ts";
import { HashState, type HashSizes } from "../groups/hashState.ts";
import { chunkRows, listChunks, partitionPlaces, type Partitions } from "../groups/partitions.ts";
import type { Arena } from "../task/arena.ts";
import { endIfCancelled } from "../task/cancellation.ts";
import type { Heap } from "../task/heap.ts";
import { inSteps } from "../task/inSteps.ts";
import { cutPart } from "./cutAnswer.ts";
import { mergeVariance } from "./finishDirect.ts";
import { finishMerged, orderedByKeys } from "./finishHash.ts";
import { joinParts } from "./joinParts.ts";
import { leadingGroups } from "./leadingGroups.ts";

/** Number of chunks whose rows are folded together. */
const chunksPerVector = vectorSize / chunkRows;
/** Number of rows from which the rows of finished parts are limited again. */
const leastCut = 2 ** 16;

/**
 * Folds and finishes parts of partitioned rows until none are left. Returns the groups that can be in the answer, in no
 * particular order; to get the answer, sort and limit the groups of all tasks by the order of `orderedByKeys`.
 */
export function finishParts(
  plan: BoundPlan,
  grouping: BoundGrouping,
  partitions: Partitions,
  arena: Arena,
  heap: Heap,
): readonly Float64Array[] {
  const { partBits, spanCount, widths } = partitions;
  const places = partitionPlaces(partitions);
  const { starts, chunks } = listChunks(partitions, arena);
  const inputs = hashInputs(grouping);
  const { fold, take } = createHashFolds(grouping, inputs);
  const ordered = orderedByKeys(plan, grouping);
  const isOrderedGrouping = hasOrderedStates(grouping);
  const isCut = plan.limit !== undefined || plan.groupLimit !== undefined;

  const foldSpan = (state: HashState, first: number, end: number): void => {
    for (let start = first; start < end; start += chunksPerVector) {
      endIfCancelled();
      const taken = chunks.subarray(start, Math.min(end, start + chunksPerVector));
      let rowCount = 0;
      const rows = Array.from(taken, (chunk) => {
        const from = rowCount;
        const count = arena.u32[places.sizes / 4 + chunk] || chunkRows;
        rowCount += count;
        return { from, count, row: chunk * chunkRows };
      });
      fold(state, rowCount, (column, to) => {
        const width = widths[column];
        for (const { from, count, row } of rows) {
          const at = places.columns[column] + row * width;
          state.arena.u8.set(arena.u8.subarray(at, at + count * width), to + from * width);
        }
      });
    }
  };
  /** The sizes of the last part. Because rows are partitioned by a hash, the next part has about as many groups. */
  let sizes: HashSizes | undefined;
  const finish = (part: number): readonly Float64Array[] => {
    heap.clear();
    const state = new HashState(heap, grouping, inputs, { hasSpans: isOrderedGrouping, sizes });
    for (let owner = part * spanCount; owner < (part + 1) * spanCount; owner++) {
      foldSpan(state, starts[owner], starts[owner + 1]);
      if (starts[owner] < starts[owner + 1]) endSpan(grouping, state);
    }
    ({ sizes } = state);
    const groups = leadingGroups(ordered, grouping, inputs, state);
    const taken = take(state, () => [], groups);
    return finishMerged(plan, grouping, taken, heap);
  };

  let found: (readonly Float64Array[])[] = [];
  let rowCount = 0;
  let mostRows = leastCut;
  for (;;) {
    const part = Atomics.add(arena.u32, places.begunCount / 4, 1);
    if (part >= 2 ** partBits) break;
    const columns = finish(part);
    found.push(columns);
    rowCount += columns[0].length;
    if (!isCut || rowCount < mostRows) continue;
    found = [cutPart(ordered, joinParts(found))];
    rowCount = found[0][0].length;
    mostRows = Math.max(leastCut, rowCount * 2);
  }
  if (found.length === 0) return grouping.outputs.map(() => new Float64Array(0));
  const whole = joinParts(found);
  return isCut ? cutPart(ordered, whole) : whole;
}

/** Adds the states of a span to those of earlier spans, as lanes are merged, and clears them. */
function endSpan({ slots }: BoundGrouping, state: HashState): void {
  const { totals, arena } = state;
  if (!totals) return;
  const { count } = state.chain;
  const { kernels, f64 } = arena;
  slots.forEach((slot, index) => {
    if (!isOrdered(slot)) return;
    const [into, of] = [totals[index], state.slots[index]];
    const sizeBytes = count * slotBytes(slot);
    if (slot.kind === "variance")
      inSteps(count, (from, to) => {
        for (let group = from; group < to; group++)
          mergeVariance(f64, into / 8 + group * 4, f64, of / 8 + group * 4);
      });
    else kernels.addStates(into, of, sizeBytes);
    f64.fill(0, of / 8, (of + sizeBytes) / 8);
  });
}
