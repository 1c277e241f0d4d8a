import type { BoundCell, BoundOrder, OrderBuckets, OrderWindow } from "../../plan/boundPlan.ts";
import { vectorSize } from "../../kernels/kernels.ts";
import type { Compilation } from "../rows/compilation.ts";
import { compileCodes, compileVector } from "../rows/vectors.ts";
import { rankNumbers } from "./sort.ts";

/** Numbers the buckets of the active rows, and returns the index of the first number in the arena's `u32`. */
type NumberBuckets = () => number;

/** Compiles the buckets of the active rows. The cell of the order must not be a computed string. */
export function compileBuckets(
  buckets: OrderBuckets,
  order: readonly BoundOrder[],
  cells: readonly BoundCell[],
  compilation: Compilation,
): NumberBuckets {
  const { source, workspace } = compilation;
  const { part, low, factor, bucketCount } = buckets;
  const { output, ranks } = order[part];
  const place = workspace.reserve(vectorSize * 4);
  const readWeights = compileWeights(cells[output], ranks, compilation);
  return () => {
    const { base, kernels, rowCount } = source;
    kernels.bucket(readWeights(), rowCount, low, factor, bucketCount, base + place);
    return (base + place) / 4;
  };
}

/** Compiles the numbers by which rows are ordered: of strings their ranks, starting at 1. Null is NaN. */
function compileWeights(
  cell: BoundCell,
  ranks: Int32Array | undefined,
  compilation: Compilation,
): () => number {
  const { source, workspace } = compilation;
  if (cell.kind === "computed") throw new TypeError("computed strings have no buckets");
  if (cell.kind === "number") {
    const vector = compileVector(cell.of, -1, compilation);
    return () => vector.read();
  }
  const codes = compileCodes(cell.code, compilation);
  const table = workspace.table(rankNumbers(ranks ?? new Int32Array(0)));
  const ranked = workspace.reserve(vectorSize * 4);
  const weights = workspace.reserve(vectorSize * 8);
  return () => {
    const { base, kernels, rowCount } = source;
    kernels.numberLookup[4](codes.read(), rowCount, base + table, 1, base + ranked, 1);
    kernels.decode[4](base + ranked, rowCount, 1, 0, base + weights);
    return base + weights;
  };
}

/** Compiles a function that narrows the active rows to the rows in a window. */
export function compileWindow(
  window: OrderWindow,
  order: readonly BoundOrder[],
  cells: readonly BoundCell[],
  compilation: Compilation,
): () => void {
  const { source, workspace } = compilation;
  const number = compileBuckets(window, order, cells, compilation);
  const mask = workspace.reserve(vectorSize);
  const { passes } = window;
  return () => {
    const from = number();
    const { u8, u32 } = source.arena;
    const to = source.base + mask;
    testBuckets(u32, from, passes, u8, to, source.rowCount);
    source.narrow(to);
  };
}

function testBuckets(
  u32: Uint32Array<ArrayBufferLike>,
  from: number,
  passes: Uint8Array,
  u8: Uint8Array<ArrayBufferLike>,
  to: number,
  rowCount: number,
): void {
  for (let row = 0; row < rowCount; row++) u8[to + row] = passes[u32[from + row]];
}

/**
 * Returns whether a window may contain numbers between two bounds, or null if `hasNulls`. Tests one bucket more on both
 * sides, so that rounding does not matter.
 */
export function mayPass(
  { low, factor, bucketCount, passes }: OrderWindow,
  minimum: number,
  maximum: number,
  hasNulls: boolean,
): boolean {
  if (hasNulls && passes[0] === 1) return true;
  const last = bucketCount - 1;
  const bucketOf = (value: number) => 1 + Math.floor((value - low) * factor);
  const from = Math.max(1, Math.min(last, bucketOf(minimum) - 1));
  const to = Math.max(1, Math.min(last, bucketOf(maximum) + 1));
  return passes.subarray(from, to + 1).includes(1);
}
