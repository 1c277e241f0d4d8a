import type { Slot } from "../../plan/boundPlan.ts";
import type { Numbering } from "../keys/numbering.ts";
import type { Compilation } from "../rows/compilation.ts";
import { compileVector } from "../rows/vectors.ts";
import { always, type SlotFold } from "./accessPath.ts";
import { addFew, fewSum } from "./fewSums.ts";
import { compileTotal } from "./total.ts";

/** Compiles two sums that share a slot. */
export function compilePairFold(
  slot: Extract<Slot, { kind: "pair" }>,
  numbering: Numbering,
  compilation: Compilation,
  copyBytes: number,
): SlotFold {
  const { source } = compilation;
  const left = compileVector(slot.left.of, slot.left.decimals, compilation);
  const right = compileVector(slot.right.of, slot.right.decimals, compilation);
  const leftTotal = compileTotal(slot.left, compilation);
  const rightTotal = compileTotal(slot.right, compilation);
  const leftFew = fewSum(slot.left, numbering, source);
  const rightFew = fewSum(slot.right, numbering, source);
  const add = (state: number, leftSum: number, rightSum: number): void => {
    const { f64 } = source.arena;
    f64[state / 8] += leftSum;
    f64[state / 8 + 1] += rightSum;
  };
  return {
    paths: [
      {
        name: "one group",
        canFold: () => numbering.isConstant,
        canFoldRowGroup: () => leftTotal.isStored() && rightTotal.isStored(),
        fold: (state) => add(state, leftTotal.sum().sum, rightTotal.sum().sum),
      },
      {
        name: "few groups",
        canFold: () => leftFew.canSum() && rightFew.canSum(),
        canFoldRowGroup: () => numbering.isFewStored(),
        fold: (state) => {
          const few = numbering.few();
          addFew(leftFew.sum(few) + 8, few, state, source);
          addFew(rightFew.sum(few) + 8, few, state + 8, source);
        },
      },
      {
        name: "any groups",
        canFold: always,
        fold: (state) =>
          source.kernels.foldPair(
            numbering.read(),
            left.read(),
            right.read(),
            source.rowCount,
            state,
            16,
            copyBytes,
          ),
      },
    ],
    summary: {
      canFold: () => leftTotal.canSummarize() && rightTotal.canSummarize(),
      fold: (state) => add(state, leftTotal.summarize().sum, rightTotal.summarize().sum),
    },
  };
}
