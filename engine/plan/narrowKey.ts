import type { BoundCode, BoundTest, BoundValue } from "../expressions/boundValue.ts";
import { isSameIndex } from "../expressions/testInTable.ts";
import type { BoundKey } from "./boundPlan.ts";

/**
 * Narrows a key that reads a column of a joined table to the values that rows can have if they pass the filter. A
 * filter on a dimension usually leaves few of its values, so groups by its columns stay few too. Takes O(entries of the
 * lookup table). Returns other keys unchanged.
 */
export function narrowKey(key: BoundKey, filter: BoundTest): BoundKey {
  if (key.kind === "text") return narrowText(key, filter);
  return key.kind === "whole" && (key.step ?? 1) === 1 ? narrowWhole(key, filter) : key;
}

function narrowText(key: Extract<BoundKey, { kind: "text" }>, filter: BoundTest): BoundKey {
  const { code } = key;
  if (key.values || (code.kind !== "byNumber" && code.kind !== "byCode") || !code.codes) return key;
  const { codes } = code;
  const passes = passesOf(code, codes.length, filter);
  if (!passes) return key;
  const numberByCode = new Uint32Array(key.cardinality);
  const values = [0];
  const numbers = new Uint32Array(new SharedArrayBuffer(codes.byteLength));
  for (const index of passingPlaces(passes)) {
    const own = codes[index];
    if (own === 0) continue;
    if (numberByCode[own] === 0) numberByCode[own] = values.push(own) - 1;
    numbers[index] = numberByCode[own];
  }
  return {
    kind: "text",
    code: { ...code, codes: numbers },
    cardinality: values.length,
    values: Float64Array.from(values),
  };
}

function narrowWhole(key: Extract<BoundKey, { kind: "whole" }>, filter: BoundTest): BoundKey {
  const { of } = key;
  if (of.kind !== "byNumber" && of.kind !== "byCode") return key;
  const passes = passesOf(of, of.values.length, filter);
  if (!passes) return key;
  let least = Infinity;
  let most = -Infinity;
  for (const index of passingPlaces(passes)) {
    const value = of.values[index];
    if (value !== value) continue;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const unit = 10 ** key.decimals;
  const base = least <= most ? Math.round(least * unit) : 0;
  const last = least <= most ? Math.round(most * unit) : 0;
  return { ...key, base, cardinality: last - base + 2 };
}

/** The places of the entries that pass. The keys of a plan are narrowed one after another by the same filter. */
const placesByPasses = new WeakMap<Uint8Array, Uint32Array>();

function passingPlaces(passes: Uint8Array): Uint32Array {
  const known = placesByPasses.get(passes);
  if (known) return known;
  let count = 0;
  for (let index = 0; index < passes.length; index++) count += passes[index];
  const places = new Uint32Array(count);
  let at = 0;
  for (let index = 0; index < passes.length; index++) if (passes[index] === 1) places[at++] = index;
  placesByPasses.set(passes, places);
  return places;
}

type Indexed = Extract<BoundCode | BoundValue, { kind: "byNumber" | "byCode" }>;

/** Returns which entries of a table rows can read if they pass the filter; undefined if the filter does not say. */
function passesOf(table: Indexed, length: number, filter: BoundTest): Uint8Array | undefined {
  if (filter.kind === "and") {
    for (const part of filter.of) {
      const passes = passesOf(table, length, part);
      if (passes) return passes;
    }
    return undefined;
  }
  if (filter.kind !== "lookupNumber" && filter.kind !== "lookup") return undefined;
  const isRead =
    table.kind === "byNumber"
      ? filter.kind === "lookupNumber" && isSameIndex(table, filter)
      : filter.kind === "lookup" && table.column === filter.column;
  return isRead && filter.passes.length === length ? filter.passes : undefined;
}
