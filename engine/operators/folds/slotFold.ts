import type { BoundValue } from "../../expressions/boundValue.ts";
import type { Slot } from "../../plan/boundPlan.ts";
import type { Numbering } from "../keys/numbering.ts";
import type { Compilation } from "../rows/compilation.ts";
import { compileVector } from "../rows/vectors.ts";
import { always, noSummary, type SlotFold } from "./accessPath.ts";
import { compileCountFold } from "./countFold.ts";
import { compileCovarianceFold } from "./covarianceFold.ts";
import { compileExtentFold } from "./extentFold.ts";
import { compilePairFold } from "./pairFold.ts";
import { compileRowsFold } from "./rowsFold.ts";
import { compileSumFold } from "./sumFold.ts";

/**
 * Compiles the fold of a slot by its kind. `copyBytes` is the distance between copies of the states, or 0 if there is
 * only one copy. Row `i` of a vector is folded into copy `i % 4`.
 */
export function compileSlotFold(
  slot: Slot,
  numbering: Numbering,
  compilation: Compilation,
  copyBytes: number,
): SlotFold {
  switch (slot.kind) {
    case "rows":
      return compileRowsFold(numbering, compilation.source, copyBytes);
    case "count":
      return compileCountFold(slot.of, numbering, compilation, copyBytes);
    case "rowsSum":
    case "countSum":
      return compileSumFold(slot, numbering, compilation, copyBytes);
    case "pair":
      return compilePairFold(slot, numbering, compilation, copyBytes);
    case "extent":
      return compileExtentFold(slot, numbering, compilation, copyBytes);
    case "variance":
      return compileVarianceFold(slot.of, numbering, compilation);
    case "covariance":
      return compileCovarianceFold(slot, numbering, compilation);
  }
}

/**
 * Compiles the fold of variances. It has a single path, because counts, means and sums of squared differences depend on
 * the order of rows.
 */
function compileVarianceFold(
  of: BoundValue,
  numbering: Numbering,
  compilation: Compilation,
): SlotFold {
  const { source } = compilation;
  const vector = compileVector(of, -1, compilation);
  return {
    paths: [
      {
        name: "any groups",
        canFold: always,
        fold: (state) => {
          const { kernels, rowCount } = source;
          kernels.foldVariance(numbering.read(), vector.read(), rowCount, state, 32);
        },
      },
    ],
    summary: noSummary,
  };
}
