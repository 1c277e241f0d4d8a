import type { BoundCell, BoundPlan, OrderBuckets } from "../../plan/boundPlan.ts";
import type { Compilation } from "../rows/compilation.ts";
import type { RowCollector } from "./collectRows.ts";
import { compileBuckets, compileWindow } from "./orderBuckets.ts";

/** Compiles a collector that counts the rows in the plan's windows by bucket. A lane returns the counts as a column. */
export function compileRowCounter(
  counted: OrderBuckets,
  { order, windows = [] }: BoundPlan,
  cells: readonly BoundCell[],
  compilation: Compilation,
): RowCollector {
  const { source } = compilation;
  const narrows = windows.map((window) => compileWindow(window, order, cells, compilation));
  const number = compileBuckets(counted, order, cells, compilation);
  let counts = new Float64Array(counted.bucketCount);
  return {
    isFull: () => false,
    canSkip: () => false,
    add: () => {
      for (const narrow of narrows) narrow();
      if (source.rowCount > 0) count(source.arena.u32, number(), source.rowCount, counts);
    },
    take: () => {
      const rows = [counts];
      counts = new Float64Array(counted.bucketCount);
      return { rows, texts: [] };
    },
  };
}

function count(
  u32: Uint32Array<ArrayBufferLike>,
  from: number,
  rowCount: number,
  counts: Float64Array,
): void {
  for (let row = 0; row < rowCount; row++) counts[u32[from + row]]++;
}
