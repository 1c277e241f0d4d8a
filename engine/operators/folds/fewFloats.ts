import type { Summand } from "../../plan/boundPlan.ts";
import type { Numbering } from "../keys/numbering.ts";
import type { VectorSource } from "../rows/vectorSource.ts";

/** Where the floats of a summand are stored as they are summed; undefined where they must be made. */
function storedFloats({ of, decimals }: Summand, source: VectorSource) {
  if (of.kind !== "column" || decimals > 0) return undefined;
  const stored = source.stored(of.column);
  if (stored?.kind !== "floats") return undefined;
  return { address: stored.address, width: stored.segment.values.width };
}

/**
 * Counts and sums stored floats of the selected rows straight into the states of groups that are few, in the order of rows;
 * false where the rows are not selected by a mask, the groups are not few, or the values are not stored so.
 */
export function foldFewFloat(
  summand: Summand,
  numbering: Numbering,
  source: VectorSource,
  state: number,
  copyBytes: number,
): boolean {
  if (!source.isSelected) return false;
  const floats = storedFloats(summand, source);
  const few = floats && numbering.few();
  if (!few) return false;
  source.kernels.foldFewFloat[floats.width](
    few.address,
    floats.address,
    source.selection,
    source.rowCount,
    few.offsets,
    state,
    copyBytes,
    few.scratch,
  );
  return true;
}

/** Sums two columns of stored doubles without nulls in the same way. */
export function foldFewPair(
  left: Summand,
  right: Summand,
  numbering: Numbering,
  source: VectorSource,
  state: number,
  copyBytes: number,
): boolean {
  if (!source.isSelected) return false;
  const lefts = storedFloats(left, source);
  const rights = lefts?.width === 8 ? storedFloats(right, source) : undefined;
  const few = lefts && rights?.width === 8 ? numbering.few() : undefined;
  if (!few || !lefts || !rights) return false;
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
  return true;
}
