import type { BoundValue } from "../../expressions/boundValue.ts";
import { vectorFunction } from "../../expressions/scalarFunctions.ts";

/**
 * Computes an expression over the keys of groups. Its columns are indices in `keys`. Zeros have no sign, as in keys.
 */
export function derivedKey(
  of: BoundValue,
  keys: readonly Float64Array[],
  groupCount: number,
): Float64Array {
  const values = numbersOf(of, keys, groupCount);
  return values.map((value) => value + 0);
}

function numbersOf(
  of: BoundValue,
  keys: readonly Float64Array[],
  groupCount: number,
): Float64Array {
  if (of.kind === "column") return keys[of.column];
  const numbers = new Float64Array(groupCount);
  if (of.kind === "literal") return numbers.fill(of.value);
  if (of.kind !== "call") throw new RangeError("a derived key may only call functions of keys");
  const parts = of.of.map((part) => numbersOf(part, keys, groupCount));
  vectorFunction(of.function, of.literals)(parts, groupCount, numbers);
  return numbers;
}
