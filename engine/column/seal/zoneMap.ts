import type { DataType } from "../../types.ts";
import { boundDecimals } from "../segment/decimals.ts";
import { openSealMemory } from "./sealMemory.ts";
import { rowGroupSize, type Segment } from "../segment/segment.ts";

/** Zone map of an open row group. For a text column, `minimum` and `maximum` bound the stored codes. */
export interface ZoneMap {
  readonly nullCount: number;
  /** NaN if every row is null. */
  readonly minimum: number;
  readonly maximum: number;
  /**
   * Number of decimals that is enough for every value; -1 if there is no such number. `zoneDecimals` also checks
   * whether the largest value stays exact with this number of decimals.
   */
  readonly decimals: number;
  readonly hasNegativeZero: boolean;
}

export const emptyZoneMap: ZoneMap = {
  nullCount: 0,
  minimum: NaN,
  maximum: NaN,
  decimals: 0,
  hasNegativeZero: false,
};

/** Returns the number of decimals of a zone map; -1 if its largest value would not be exact with that number. */
export function zoneDecimals({ decimals, minimum, maximum }: ZoneMap): number {
  return minimum === minimum
    ? boundDecimals(decimals, Math.max(Math.abs(minimum), Math.abs(maximum)))
    : 0;
}

/** Returns a zone map extended by doubles, with NaN for null. */
export function addNumbers(zone: ZoneMap, values: Float64Array): ZoneMap {
  const { values: inMemory } = openSealMemory();
  let joined = zone;
  for (let from = 0; from < values.length; from += rowGroupSize) {
    const rows = values.subarray(from, from + rowGroupSize);
    inMemory.set(rows);
    joined = joinZones(joined, zoneOfNumbers(rows.length, joined.decimals));
  }
  return joined;
}

/**
 * Computes the zone map of the first `rowCount` doubles in the seal memory. The search for decimals starts at
 * `decimals`.
 */
export function zoneOfNumbers(rowCount: number, decimals = 0): ZoneMap {
  const { sealers, valuesAt, results, resultsAt } = openSealMemory();
  sealers.zoneNumbers(valuesAt, rowCount, decimals, resultsAt);
  const [nullCount, minimum, maximum, found, negativeZeros] = results;
  return { nullCount, minimum, maximum, decimals: found, hasNegativeZero: negativeZeros > 0 };
}

/** Returns a zone map extended by stored codes, with 0 for null. */
export function addCodes(zone: ZoneMap, codes: Int32Array): ZoneMap {
  const { words } = openSealMemory();
  let joined = zone;
  for (let from = 0; from < codes.length; from += rowGroupSize) {
    const rows = codes.subarray(from, from + rowGroupSize);
    words.set(rows);
    joined = joinZones(joined, zoneOfCodes(rows.length));
  }
  return joined;
}

/** Computes the zone map of the first `rowCount` stored codes in the seal memory. */
export function zoneOfCodes(rowCount: number): ZoneMap {
  const { sealers, wordsAt, results, resultsAt } = openSealMemory();
  sealers.zoneCodes(wordsAt, rowCount, resultsAt);
  const [nullCount, minimum, maximum] = results;
  return { ...emptyZoneMap, nullCount, minimum, maximum };
}

/**
 * Returns the zone map of a sealed segment; undefined for floats with few decimals, because these may include -0. The
 * segment's largest value may already have limited the decimals; a larger value can only limit them further.
 */
export function zoneOf(segment: Segment, type: DataType): ZoneMap | undefined {
  const { form, nullCount, minimum, maximum, decimals } = segment;
  if (form === "float" && (decimals >= 0 || type === "datetime")) return undefined;
  return { nullCount, minimum, maximum, decimals, hasNegativeZero: false };
}

/** Merges two zone maps into the zone map of all their rows. */
export function joinZones(left: ZoneMap, right: ZoneMap): ZoneMap {
  return {
    nullCount: left.nullCount + right.nullCount,
    minimum: right.minimum >= left.minimum || isEmpty(right) ? left.minimum : right.minimum,
    maximum: right.maximum <= left.maximum || isEmpty(right) ? left.maximum : right.maximum,
    decimals:
      Math.min(left.decimals, right.decimals) < 0 ? -1 : Math.max(left.decimals, right.decimals),
    hasNegativeZero: left.hasNegativeZero || right.hasNegativeZero,
  };
}

const isEmpty = ({ minimum }: ZoneMap) => minimum !== minimum;
