import type { Summand } from "../../plan/boundPlan.ts";
import type { Numbering } from "../keys/numbering.ts";
import type { VectorSource } from "../rows/vectorSource.ts";
import type { AccessPath } from "./accessPath.ts";

/** Finds a summand in the row group as stored floats; undefined where it must be decoded or computed. */
function storedFloats({ of, decimals }: Summand, source: VectorSource) {
  if (of.kind !== "column" || decimals > 0) return undefined;
  const stored = source.stored(of.column);
  return stored?.kind === "floats" ? stored : undefined;
}

/**
 * Counts and sums stored floats of the selected rows directly into the states of few groups, in row order. Each row
 * uses the same copy of the states as the kernel for any number of groups, so sums have the same bits.
 */
export function fewFloatPath(
  summand: Summand,
  numbering: Numbering,
  source: VectorSource,
  copyBytes: number,
): AccessPath {
  return {
    name: "few groups, stored floats",
    canFold: () =>
      source.isSelected &&
      storedFloats(summand, source) !== undefined &&
      numbering.fewGroupCount() > 0,
    fold: (state) => {
      const floats = storedFloats(summand, source);
      if (!floats) throw new RangeError("the summand is not stored as floats");
      const few = numbering.few();
      source.kernels.foldFewFloat[floats.segment.values.width](
        few.address,
        floats.address,
        source.selection,
        source.rowCount,
        few.offsets,
        state,
        copyBytes,
        few.scratch,
      );
    },
  };
}

/** Sums two columns of stored doubles without nulls in the same way. */
export function fewPairPath(
  left: Summand,
  right: Summand,
  numbering: Numbering,
  source: VectorSource,
  copyBytes: number,
): AccessPath {
  const storedDoubles = (summand: Summand) => {
    const floats = storedFloats(summand, source);
    return floats?.segment.values.width === 8 ? floats : undefined;
  };
  return {
    name: "few groups, stored doubles",
    canFold: () =>
      source.isSelected &&
      storedDoubles(left) !== undefined &&
      storedDoubles(right) !== undefined &&
      numbering.fewGroupCount() > 0,
    fold: (state) => {
      const lefts = storedDoubles(left);
      const rights = storedDoubles(right);
      if (!lefts || !rights) throw new RangeError("the summands are not stored as doubles");
      const few = numbering.few();
      source.kernels.foldFewPair(
        few.address,
        lefts.address,
        rights.address,
        source.selection,
        source.rowCount,
        few.offsets,
        state,
        copyBytes,
      );
    },
  };
}
