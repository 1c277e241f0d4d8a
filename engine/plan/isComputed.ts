import type { BoundRows, BoundText, BoundValue } from "../expressions/boundValue.ts";

/** Tells whether an expression gives texts that are made row by row. */
export function isMade(of: BoundValue | BoundText): of is BoundRows {
  return of.kind === "rows" && of.type === "text";
}
