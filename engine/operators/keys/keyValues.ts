import type { PeriodFloor } from "../../time/periodFloor.ts";
import { inSteps } from "../task/inSteps.ts";
import type { NumberedKey } from "./numbering.ts";

/**
 * Returns the values of one key for group numbers. A key's number is `floor(number / stride) % cardinality`; its values
 * are stored codes, numbers or instants. Null is 0 for codes, otherwise NaN. Everything that differs between keys is
 * read before the loops, so that V8 compiles a single form of each loop.
 */
export function keyValues(
  key: NumberedKey,
  stride: number,
  groups: Int32Array | Float64Array,
  groupCount = groups.length,
): Float64Array<ArrayBuffer> {
  const values = numbersOf(groups, groupCount, stride, key.cardinality);
  if (key.kind === "period") replaceByStarts(key.floor, values);
  else if (key.kind === "whole")
    replaceBySteps(values, key.base, key.step ?? 1, 10 ** key.decimals);
  else if (key.values) replaceByCodes(values, key.values);
  return values;
}

function numbersOf(
  groups: Int32Array | Float64Array,
  groupCount: number,
  stride: number,
  cardinality: number,
): Float64Array<ArrayBuffer> {
  const numbers = new Float64Array(groupCount);
  inSteps(groupCount, (from, to) => {
    for (let index = from; index < to; index++)
      numbers[index] = Math.floor(groups[index] / stride) % cardinality;
  });
  return numbers;
}

function replaceBySteps(values: Float64Array, base: number, step: number, unit: number): void {
  for (let index = 0; index < values.length; index++) {
    const number = values[index];
    values[index] = number === 0 ? NaN : (base + (number - 1) * step) / unit;
  }
}

/** Computes the same as `periodStart`, for all groups at once. */
function replaceByStarts(floor: PeriodFloor, values: Float64Array): void {
  if (floor.kind === "zone") values.fill(NaN);
  else if (floor.kind === "grid") replaceBySteps(values, floor.first, floor.lengthMs, 1);
  else replaceByTable(values, floor.starts);
}

function replaceByCodes(values: Float64Array, codes: Float64Array): void {
  for (let index = 0; index < values.length; index++) values[index] = codes[values[index]];
}

function replaceByTable(values: Float64Array, starts: Float64Array): void {
  for (let index = 0; index < values.length; index++) {
    const number = values[index];
    values[index] = number === 0 ? NaN : starts[number - 1];
  }
}
