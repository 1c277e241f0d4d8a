import { boundDecimals, decimalsOf, fitsDecimals } from "./decimals.ts";

/** What is known of the values of a row group that fills. Of a text `minimum` and `maximum` bound the stored codes. */
export interface ZoneMap {
  readonly nullCount: number;
  /** NaN when every row is null. */
  readonly minimum: number;
  readonly maximum: number;
  /** Digits after the point that every value fits in, -1 when there is no such number; before it is bounded by the largest value. */
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

/** Returns the decimals of a zone map, bounded by its largest value. */
export function zoneDecimals({ decimals, minimum, maximum }: ZoneMap): number {
  return minimum === minimum
    ? boundDecimals(decimals, Math.max(Math.abs(minimum), Math.abs(maximum)))
    : 0;
}

/** Adds doubles, NaN for null, to a zone map. */
export function addNumbers(zone: ZoneMap, values: Float64Array): ZoneMap {
  let { nullCount, minimum, maximum, decimals, hasNegativeZero } = zone;
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (value !== value) {
      nullCount++;
      continue;
    }
    if (!(value >= minimum)) minimum = value;
    if (!(value <= maximum)) maximum = value;
    if (value === 0 && Object.is(value, -0)) hasNegativeZero = true;
    if (decimals >= 0 && !fitsDecimals(value, decimals)) decimals = decimalsOf(value, decimals);
  }
  return { nullCount, minimum, maximum, decimals, hasNegativeZero };
}

/** Adds stored codes, 0 for null, to a zone map. */
export function addCodes(zone: ZoneMap, codes: Int32Array): ZoneMap {
  let { nullCount, minimum, maximum } = zone;
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row];
    if (code === 0) nullCount++;
    else {
      if (!(code >= minimum)) minimum = code;
      if (!(code <= maximum)) maximum = code;
    }
  }
  return { ...zone, nullCount, minimum, maximum };
}
