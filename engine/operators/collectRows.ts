import type { BoundCell, BoundOrder, BoundPlan } from "../plan/boundPlan.ts";
import { vectorSize } from "../kernels/kernels.ts";
import { gather, sort, weigh } from "./sort.ts";
import { compileCodes, compileVector, type Compilation } from "./vectors.ts";

/** Collects the rows of an ungrouped plan. With a limit it holds no more rows than can be in the answer, and about as many again. */
export interface RowCollector {
  /** No further row of the lane can be in the answer. */
  isFull(): boolean;
  add(): void;
  /** Takes the lane's rows, a column per cell: stored codes, or numbers. */
  take(): Float64Array[];
}

/** Compiles the cells of an ungrouped plan. */
export function compileRowCollector(
  plan: BoundPlan,
  cells: readonly BoundCell[],
  compilation: Compilation,
): RowCollector {
  const { source } = compilation;
  const wanted = plan.limit ? plan.limit.offset + plan.limit.count : Infinity;
  const readers = cells.map((cell) =>
    cell.kind === "text"
      ? { isText: true, vector: compileCodes(cell.code, compilation) }
      : { isText: false, vector: compileVector(cell.of, -1, compilation) },
  );
  const isTop = plan.order.length > 0 && wanted !== Infinity;
  const [firstOrder] = plan.order;
  const places = new Uint16Array(vectorSize);
  let columns: Float64Array<ArrayBuffer>[] = cells.map(() => new Float64Array(0));
  let rowCount = 0;
  let worst = Infinity;

  const reserve = (needed: number): void => {
    if (needed <= (columns[0]?.length ?? 0)) return;
    columns = columns.map((column) => {
      const grown = new Float64Array(Math.max(needed, rowCount * 2, 1024));
      grown.set(column.subarray(0, rowCount));
      return grown;
    });
  };
  const cut = (): void => {
    const kept = sort(columns, plan.order, rowCount).subarray(0, wanted);
    if (isTop && kept.length === wanted && wanted > 0)
      worst = Math.min(worst, weightOf(firstOrder, columns[firstOrder.output][kept[wanted - 1]]));
    kept.sort();
    columns = columns.map((column) => gather(column, kept));
    rowCount = kept.length;
  };
  /** Narrows the rows to look at to those that may be among the wanted ones. */
  const narrow = (): void => {
    const { isText, vector } = readers[firstOrder.output];
    const at = vector.read();
    const { f64, u32 } = source.arena;
    let count = 0;
    for (let row = 0; row < source.rowCount; row++) {
      const value = isText ? u32[at / 4 + row] : f64[at / 8 + row];
      if (weightOf(firstOrder, value) <= worst) places[count++] = row;
    }
    if (count < source.rowCount) source.narrow(places, count);
  };

  return {
    isFull: () => plan.order.length === 0 && rowCount >= wanted,
    add: () => {
      if (wanted === 0) return;
      if (isTop && worst !== Infinity) narrow();
      const added = source.rowCount;
      if (added === 0) return;
      reserve(rowCount + added);
      readers.forEach(({ isText, vector }, index) => {
        const at = vector.read();
        const target = columns[index];
        if (isText) {
          const { u32 } = source.arena;
          for (let row = 0, from = at / 4; row < added; row++)
            target[rowCount + row] = u32[from + row];
        } else target.set(source.arena.f64.subarray(at / 8, at / 8 + added), rowCount);
      });
      rowCount += added;
      if (isTop && rowCount > wanted * 2 + vectorSize) cut();
    },
    take: () => {
      if (rowCount > wanted) cut();
      const taken = columns.map((column) => column.slice(0, rowCount));
      rowCount = 0;
      return taken;
    },
  };
}

function weightOf(order: BoundOrder, value: number): number {
  return weigh(value, order.descending, order.ranks);
}
