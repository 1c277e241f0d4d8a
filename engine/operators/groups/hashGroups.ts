import type { BoundGrouping } from "../../plan/boundPlan.ts";
import type { Compilation } from "../rows/compilation.ts";
import type { Heap } from "../task/heap.ts";
import { compileHashColumn } from "./hashColumns.ts";
import { createHashFolds } from "./hashFolds.ts";
import { hashInputs } from "./hashInputs.ts";
import { HashState } from "./hashState.ts";
import type { LaneGroups } from "./laneGroups.ts";

/** Folds rows into groups that are found by hashing their keys, in the memory of a thread. */
export interface HashGroups {
  openRowGroup(): void;
  /** Folds the active rows. */
  fold(): void;
  /** Returns the groups found so far, and then forgets them. */
  take(): LaneGroups;
}

/**
 * Compiles the folds of a grouping whose groups cannot be numbered directly, because they are too many or because a key
 * cannot be numbered.
 */
export function compileHashGroups(
  grouping: BoundGrouping,
  heap: Heap,
  compilation: Compilation,
): HashGroups {
  const { source } = compilation;
  const inputs = hashInputs(grouping);
  const columns = inputs.columns.map((input) => compileHashColumn(input, compilation));
  const { fold, take } = createHashFolds(grouping, inputs);
  const start = () => new HashState(heap, grouping, inputs);
  const copy = (column: number, to: number) => columns[column].copy(heap.arena, to);
  let running: HashState | undefined;

  return {
    openRowGroup: () => {
      for (const column of columns) column.openRowGroup();
    },
    fold: () => fold((running ??= start()), source.rowCount, copy),
    take: () => {
      const taken = take(running ?? start(), (column) => columns[column].texts);
      heap.clear();
      running = undefined;
      return taken;
    },
  };
}
