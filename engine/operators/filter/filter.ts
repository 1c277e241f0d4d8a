import { vectorSize } from "../../kernels/kernels.ts";
import { splitConjuncts, type Conjunct } from "./conjuncts.ts";
import { estimateTest, storedCost } from "./estimateTest.ts";
import { compileKeptRows } from "./keptRows.ts";
import { compileConjunct, mostRuns, type Mask } from "./masks.ts";
import { passingRuns } from "./passingRuns.ts";
import { prune, type Pruning } from "./prune.ts";
import type { BoundPlan } from "../../plan/boundPlan.ts";
import type { Compilation } from "../rows/compilation.ts";

/** The filter of a plan. Its parts are tested one after another. */
export interface Filter {
  /** Returns whether all, some or none of the rows pass, using only zone maps. Call it for each row group. */
  openRowGroup(): Pruning;
  /**
   * Narrows the active rows to the rows that pass, and returns their number. Call it if `openRowGroup` returned "some".
   */
  apply(): number;
}

interface Part extends Conjunct {
  readonly mask: Mask;
  /** The number of ranges with which a stored column is compared; undefined if the test is not a comparison. */
  readonly comparisons: { readonly column: number; readonly count: number } | undefined;
}

function comparisonsOf({ test, compared }: Conjunct): Part["comparisons"] {
  if (compared) return { column: compared.column, count: 1 };
  const runs = test.kind === "lookup" ? passingRuns(test.passes, mostRuns) : undefined;
  return test.kind === "lookup" && runs ? { column: test.column, count: runs.length } : undefined;
}

/**
 * The cost of listing the rows that pass, in nanoseconds per row of the vector, and the cost of reading a value, in
 * nanoseconds per passing row. The cost of listing is set low, because most plans need the list anyway.
 */
const listCost = 0.03;
const selectedCost = 1;

/** The cost of expanding the bits of deleted rows, in nanoseconds per row. It is tested after selective parts. */
const keptCost = 0.2;
const keptRank = 20;

/**
 * Compiles the filter of a plan, which also leaves out deleted rows; undefined if all rows pass. Skips parts whose
 * result in a row group follows from zone maps. Cheap and selective parts come first. Once few rows are left, later
 * parts test only these rows.
 */
export function compileFilter(
  { filter, deleted, rowCount }: Pick<BoundPlan, "filter" | "deleted" | "rowCount">,
  compilation: Compilation,
): Filter | undefined {
  if (!filter && !deleted) return undefined;
  const { source, workspace } = compilation;
  const kept = deleted && compileKeptRows(deleted, rowCount, compilation);
  const parts = splitConjuncts(filter ? [filter] : []).map((conjunct): Part => ({
    ...conjunct,
    mask: compileConjunct(conjunct, compilation),
    comparisons: comparisonsOf(conjunct),
  }));
  const place = workspace.reserve(vectorSize);
  const segmentOf = (column: number) => source.segment(column);
  let open: { readonly mask: Mask; readonly cost: number; readonly rank: number }[] = [];
  /** For each part, the total cost of all later parts. */
  let costBehind: number[] = [];

  return {
    openRowGroup: () => {
      open = [];
      const keeping = kept?.openRowGroup();
      if (keeping === "none") return "none";
      if (kept && keeping === "some")
        open.push({ mask: kept.mask, cost: keptCost, rank: keptRank });
      for (const { test, comparisons, mask } of parts) {
        const pruning = prune(test, segmentOf);
        if (pruning === "none") return "none";
        if (pruning === "all") continue;
        const { cost: guess, share } = estimateTest(test, segmentOf);
        const cost = comparisons
          ? storedCost(segmentOf(comparisons.column)) * comparisons.count
          : guess;
        open.push({ mask, cost, rank: cost / Math.max(0.01, 1 - share) });
      }
      if (open.length === 0) return "all";
      open.sort((left, right) => left.rank - right.rank);
      let cost = 0;
      costBehind = open.map(() => 0);
      for (let index = open.length - 1; index >= 0; index--) {
        costBehind[index] = cost;
        cost += open[index].cost;
      }
      return "some";
    },
    apply: () => {
      const { kernels, rowCount } = source;
      const to = source.base + place;
      let mask = -1;
      let count = rowCount;
      for (let index = 0; index < open.length; index++) {
        const next = open[index].mask.read();
        if (source.isSelected) {
          if (source.narrow(next) === 0) return 0;
          continue;
        }
        if (mask < 0) {
          mask = next;
          count = kernels.countMask(mask, rowCount);
        } else {
          count = kernels.andMask(mask, next, rowCount, to);
          mask = to;
        }
        if (count === 0) return 0;
        const cost = costBehind[index];
        if (count * (selectedCost + cost) < rowCount * (cost - listCost))
          source.select(mask, count);
      }
      if (mask >= 0 && !source.isSelected) source.select(mask, count);
      return source.rowCount;
    },
  };
}
