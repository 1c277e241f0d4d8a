import type { BoundRows, BoundText, BoundValue } from "../expressions/boundValue.ts";

/** Returns whether an expression returns strings that are computed row by row. */
export function isComputedText(of: BoundValue | BoundText): of is BoundRows {
  return of.kind === "rows" && of.type === "text";
}
