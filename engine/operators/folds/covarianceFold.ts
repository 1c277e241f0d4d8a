import type { Slot } from "../../plan/boundPlan.ts";
import type { Numbering } from "../keys/numbering.ts";
import type { Compilation } from "../rows/compilation.ts";
import { compileVector } from "../rows/vectors.ts";
import { always, noSummary, type SlotFold } from "./accessPath.ts";

/** Compiles the fold of covariances. It has a single path, because its sums depend on the order of rows. */
export function compileCovarianceFold(
  slot: Extract<Slot, { kind: "covariance" }>,
  numbering: Numbering,
  compilation: Compilation,
): SlotFold {
  const { source } = compilation;
  const left = compileVector(slot.left, -1, compilation);
  const right = compileVector(slot.right, -1, compilation);
  return {
    paths: [
      {
        name: "any groups",
        canFold: always,
        fold: (state) => {
          const { kernels, rowCount } = source;
          kernels.foldCovariance(numbering.read(), left.read(), right.read(), rowCount, state);
        },
      },
    ],
    summary: noSummary,
  };
}
