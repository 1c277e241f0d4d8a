import type { Slot, Summand } from "../../plan/boundPlan.ts";
import type { Numbering } from "../keys/numbering.ts";
import type { VectorSource } from "../rows/vectorSource.ts";

/**
 * Whether a slot is folded straight from stored values of the row group when all its rows are looked at: nothing is decoded
 * then, so any number of rows may be folded at a time, unless their order matters.
 */
export function foldsStored(slot: Slot, numbering: Numbering, source: VectorSource): boolean {
  const isNumbered = numbering.isConstant || numbering.isFewStored();
  switch (slot.kind) {
    case "rows":
      return isNumbered;
    case "count":
      return (
        isNumbered && slot.of.kind === "column" && source.segment(slot.of.column).nullCount === 0
      );
    case "rowsSum":
      return (
        (isNumbered || numbering.storedCodes() !== undefined) && isSummedStored(slot.right, source)
      );
    case "countSum":
      return isNumbered && isSummedStored(slot.right, source);
    case "pair":
      return isNumbered && [slot.left, slot.right].every((each) => isSummedStored(each, source));
    default:
      return false;
  }
}

function isSummedStored({ of, decimals }: Summand, source: VectorSource): boolean {
  if (of.kind !== "column") return false;
  const segment = source.segment(of.column);
  return segment.form === "whole" && decimals >= segment.decimals;
}
