import type { BoundCode, BoundValue } from "../../expressions/boundValue.ts";
import { vectorFunction } from "../../expressions/scalarFunctions.ts";
import { findRows } from "../../joins/rowIndex.ts";

/**
 * Computes an expression over the keys of groups: numbers, or stored codes. Its columns are indices in `keys`. Zeros
 * have no sign, as in keys.
 */
export function derivedKey(
  of: BoundValue | BoundCode,
  keys: readonly Float64Array[],
  groupCount: number,
): Float64Array {
  const values = computed(of, keys, groupCount);
  return values.map((value) => value + 0);
}

function computed(
  of: BoundValue | BoundCode,
  keys: readonly Float64Array[],
  groupCount: number,
): Float64Array {
  switch (of.kind) {
    case "column":
      return keys[of.column];
    case "literal":
      return new Float64Array(groupCount).fill(of.value);
    case "byCode": {
      const codes = keys[of.column];
      const table = "values" in of ? of.values : of.codes;
      return table ? Float64Array.from(codes, (code) => table[code]) : codes;
    }
    case "byNumber": {
      const table = "values" in of ? of.values : of.codes;
      const numbers = computed(of.of, keys, groupCount);
      return numbers.map((number) => table[placeIn(table.length, number - of.base + 1)]);
    }
    case "rowOf": {
      const found = new Uint32Array(groupCount);
      findRows(of.index, computed(of.of, keys, groupCount), found);
      return Float64Array.from(found, (place) => (place === 0 ? NaN : place));
    }
    case "call": {
      const parts = of.of.map((part) => computed(part, keys, groupCount));
      const numbers = new Float64Array(groupCount);
      vectorFunction(of.function, of.literals)(parts, groupCount, numbers);
      return numbers;
    }
    case "bin":
    case "case":
    case "code":
    case "period":
    case "rows":
      throw new RangeError("a derived key may only call functions of keys, and look keys up");
  }
}

/** Returns the place of a number in a table; 0 for null, for numbers that are not whole and outside the table. */
function placeIn(length: number, place: number): number {
  return Number.isInteger(place) && place > 0 && place < length ? place : 0;
}
