import { fsum } from "d3-array";
import { isAdditive } from "../item/combine.ts";
import type { Frame, PlacedColumn } from "./frame.ts";
import type { Cut } from "./sayCut.ts";

/**
 * Returns the share of a measure that a picture leaves out: `hidden` are values of the answer that have no room, and
 * the groups that the answer leaves out are added. Undefined if the measure has no parts, or if negative values make a
 * share meaningless, or if the host could not compute the rest.
 */
export function restOf(
  { request: { leftOut } }: Frame,
  measure: PlacedColumn | undefined,
  { shown, hidden }: { readonly shown: readonly number[]; readonly hidden: readonly number[] },
): Cut["rest"] {
  if (!measure || !isAdditive(measure.field) || (leftOut && !leftOut.all)) return undefined;
  const left = measure.number(leftOut?.all?.cells[measure.cell]) ?? 0;
  const parts = [...shown, ...hidden, left];
  const whole = fsum(parts);
  if (parts.some((part) => part < 0) || !(whole > 0)) return undefined;
  return { share: fsum([...hidden, left]) / whole, measure: measure.name };
}
