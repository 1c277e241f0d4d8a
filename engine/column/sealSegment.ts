import {
  allocateDoubles,
  allocateUnsigned,
  createNullSegment,
  type Segment,
  type ZoneMap,
} from "./segment.ts";

/** Steps that whole numbers often share: days, hours, minutes and seconds in milliseconds. */
const steps = [86_400_000, 3_600_000, 60_000, 1000];

/** Copies a full row group of doubles into its narrowest exact form. */
export function sealNumbers(values: Float64Array, zone: ZoneMap): Segment {
  const rowCount = values.length;
  if (zone.nullCount === rowCount) return createNullSegment(rowCount);
  const { nullCount, minimum, maximum, isWhole } = zone;
  if (isWhole && !zone.hasNegativeZero) {
    const scale = steps.find((step) => isMultiple(values, minimum, step)) ?? 1;
    const range = (maximum - minimum) / scale + 1;
    const bias = minimum - scale;
    if (range < 2 ** 32 && bias >= Number.MIN_SAFE_INTEGER) {
      const stored = allocateUnsigned(range, rowCount);
      for (let row = 0; row < rowCount; row++) {
        const value = values[row];
        stored[row] = value === value ? (value - bias) / scale : 0;
      }
      return { form: "whole", values: stored, bias, scale, nullCount, minimum, maximum, isWhole };
    }
  }
  const float = isFloat32(values)
    ? new Float32Array(new SharedArrayBuffer(rowCount * 4))
    : allocateDoubles(rowCount);
  float.set(values);
  return { form: "float", values: float, bias: 0, scale: 1, nullCount, minimum, maximum, isWhole };
}

/** Copies a full row group of stored codes (code plus one, 0 is null) into the narrowest form. */
export function sealCodes(codes: Int32Array, zone: ZoneMap): Segment {
  if (zone.nullCount === codes.length) return createNullSegment(codes.length);
  const stored = allocateUnsigned(zone.maximum, codes.length);
  stored.set(codes);
  const { nullCount, minimum, maximum } = zone;
  return {
    form: "code",
    values: stored,
    bias: 0,
    scale: 1,
    nullCount,
    minimum,
    maximum,
    isWhole: true,
  };
}

function isMultiple(values: Float64Array, origin: number, step: number): boolean {
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (value === value && (value - origin) % step !== 0) return false;
  }
  return true;
}

function isFloat32(values: Float64Array): boolean {
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (value === value && Math.fround(value) !== value) return false;
  }
  return true;
}
