import type { BoundCode, BoundValue } from "../expressions/boundValue.ts";
import type { BoundKey } from "./boundPlan.ts";

/**
 * Returns the expression whose value or string is a key. Undefined for keys that are functions of an expression:
 * periods and computed strings.
 */
export function keyValue(key: BoundKey): BoundValue | BoundCode | undefined {
  if (key.kind === "text") return key.code;
  return key.kind === "whole" || key.kind === "value" ? key.of : undefined;
}
