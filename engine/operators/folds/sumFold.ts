import type { Slot, Summand } from "../../plan/boundPlan.ts";
import type { Numbering } from "../keys/numbering.ts";
import type { Compilation } from "../rows/compilation.ts";
import { compileVector } from "../rows/vectors.ts";
import { always, type AccessPath, type SlotFold } from "./accessPath.ts";
import { addFew, fewSum } from "./fewSums.ts";
import { storedSummand } from "./storedSummand.ts";
import { compileTotal } from "./total.ts";

/** Compiles a sum, together with the count of rows or of values that are not null. */
export function compileSumFold(
  { kind, right }: Extract<Slot, { kind: "rowsSum" | "countSum" }>,
  numbering: Numbering,
  compilation: Compilation,
  copyBytes: number,
): SlotFold {
  const { source } = compilation;
  const total = compileTotal(right, compilation);
  const vector = compileVector(right.of, right.decimals, compilation);
  const few = fewSum(right, numbering, source);
  const isRows = kind === "rowsSum";
  const add = (state: number, rowCount: number, { count, sum }: ReturnType<typeof total.sum>) => {
    const { f64 } = source.arena;
    f64[state / 8] += isRows ? rowCount : count;
    f64[state / 8 + 1] += sum;
  };

  const fewGroups: AccessPath = {
    name: "few groups",
    canFold: few.canSum,
    canFoldRowGroup: () => numbering.isFewStored(),
    fold: (state) => {
      const numbers = numbering.few();
      const sums = few.sum(numbers);
      addFew(sums, numbers, state, source);
      addFew(sums + 8, numbers, state + 8, source);
    },
  };
  const storedKey = [
    { ...fewGroups, name: "few groups, cheapest", canFold: () => few.canSum() && few.isCheapest() },
    storedKeyPath(right, numbering, compilation, copyBytes),
  ];
  return {
    paths: [
      {
        name: "one group",
        canFold: () => numbering.isConstant,
        canFoldRowGroup: total.isStored,
        fold: (state) => add(state, source.rowCount, total.sum()),
      },
      // The kernel that reads stored keys counts all rows, including rows with nulls.
      ...(isRows ? storedKey : []),
      fewGroups,
      {
        name: "any groups",
        canFold: always,
        fold: (state) => {
          const { kernels, rowCount } = source;
          kernels.foldCountSum(numbering.read(), vector.read(), rowCount, state, 16, copyBytes);
        },
      },
    ],
    summary: {
      canFold: total.canSummarize,
      fold: (state, rowCount) => add(state, rowCount, total.summarize()),
    },
  };
}

/**
 * Counts rows and sums whole numbers directly from stored columns, if only one key varies in the row group and its
 * stored numbers can be used unchanged.
 */
function storedKeyPath(
  summand: Summand,
  numbering: Numbering,
  { source }: Compilation,
  copyBytes: number,
): AccessPath {
  return {
    name: "stored key",
    canFold: () =>
      numbering.storedCodes() !== undefined && storedSummand(summand, source) !== undefined,
    canFoldRowGroup: always,
    fold: (state) => {
      const numbers = numbering.stored();
      const whole = storedSummand(summand, source);
      if (!numbers || !whole) throw new RangeError("keys and values are not stored");
      const { stored, segment, factor } = whole;
      source.kernels.foldStored[numbers.width][stored.width](
        numbers.address,
        stored.address,
        source.rowCount,
        segment.scale * factor,
        segment.bias * factor,
        state,
        numbers.stride * 16,
        copyBytes,
      );
    },
  };
}
