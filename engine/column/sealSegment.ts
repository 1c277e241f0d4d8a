import type { Memory } from "../memory/memory.ts";
import type { DataType } from "../types.ts";
import { powersOfTen } from "./decimals.ts";
import { createNullSegment, rowGroupSize, type Segment, type StoredValues } from "./segment.ts";
import { zoneDecimals, type ZoneMap } from "./zoneMap.ts";

const dayMs = 86_400_000;
/** Steps that whole numbers often share: days, hours, minutes and seconds in milliseconds. */
const steps = [dayMs, 3_600_000, 60_000, 1000];
const largestStored = 2 ** 32 - 1;
/** Where stored numbers, and times of the day, stand before they are narrowed. */
const scratch = new Uint32Array(rowGroupSize);
const scratchTimes = new Uint32Array(rowGroupSize);

/** Where a segment is written to. */
export interface SealTarget {
  readonly memory: Memory;
  /** The arena of the row group's other columns. */
  readonly near: number | undefined;
  /** Digits after the point to store with, when more than the values need and no wider for it. */
  readonly decimals?: number;
}

/** Copies a row group of doubles, NaN for null, into its narrowest exact form. */
export function sealNumbers(
  values: Float64Array,
  zone: ZoneMap,
  type: Exclude<DataType, "text">,
  target: SealTarget,
): Segment {
  const rowCount = values.length;
  if (zone.nullCount === rowCount) return createNullSegment(rowCount);
  const decimals = zoneDecimals(zone);
  if (type === "datetime" && !zone.hasNegativeZero)
    return sealWhole(values, zone, type, 0, target) ?? sealDayTime(values, zone, target);
  if (decimals >= 0 && !zone.hasNegativeZero) {
    const sealed = sealWhole(values, zone, type, chooseDecimals(zone, decimals, target), target);
    if (sealed) return sealed;
  }
  const width = isFloat32(values) ? 4 : 8;
  const block = target.memory.allocate(rowCount * width, target.near, false);
  const buffer = target.memory.buffer(block.arena);
  (width === 4
    ? new Float32Array(buffer, block.offset, rowCount)
    : new Float64Array(buffer, block.offset, rowCount)
  ).set(values);
  return {
    form: "float",
    rowCount,
    values: { arena: block.arena, offset: block.offset, width },
    bias: 0,
    scale: 1,
    timeScale: 1,
    decimals: type === "datetime" ? 0 : decimals,
    nullCount: zone.nullCount,
    minimum: zone.minimum,
    maximum: zone.maximum,
    sum: type === "datetime" || decimals < 0 ? NaN : sumScaled(values, zone, decimals),
  };
}

/** Copies a row group of stored codes (code plus one, 0 is null) into the narrowest form. */
export function sealCodes(codes: Int32Array, zone: ZoneMap, target: SealTarget): Segment {
  const rowCount = codes.length;
  if (zone.nullCount === rowCount) return createNullSegment(rowCount);
  const { nullCount, minimum, maximum } = zone;
  const [values] = store([{ stored: codes, largest: maximum }], target);
  return {
    form: "code",
    rowCount,
    values,
    bias: 0,
    scale: 1,
    timeScale: 1,
    decimals: 0,
    nullCount,
    minimum,
    maximum,
    sum: NaN,
  };
}

/** Stores value * 10^decimals less a bias, in steps; undefined when that passes 32 bits. */
function sealWhole(
  values: Float64Array,
  zone: ZoneMap,
  type: Exclude<DataType, "text">,
  decimals: number,
  target: SealTarget,
): Segment | undefined {
  const { nullCount, minimum, maximum } = zone;
  const power = powersOfTen[decimals];
  const low = Math.round(minimum * power);
  const high = Math.round(maximum * power);
  const scale = chooseScale(values, power, low, high - low, type);
  const bias = low - scale;
  const largest = (high - low) / scale + 1;
  if (largest > largestStored || bias < Number.MIN_SAFE_INTEGER) return undefined;
  const stored = scratch.subarray(0, values.length);
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    stored[row] = value === value ? (Math.round(value * power) - bias) / scale : 0;
  }
  const [place] = store([{ stored, largest }], target);
  const sum = type === "datetime" ? NaN : sumScaled(values, zone, decimals);
  return {
    form: "whole",
    rowCount: values.length,
    values: place,
    bias,
    scale,
    timeScale: 1,
    decimals,
    nullCount,
    minimum,
    maximum,
    sum,
  };
}

/** Stores datetimes as days and times of the day. */
function sealDayTime(values: Float64Array, zone: ZoneMap, target: SealTarget): Segment {
  const { nullCount, minimum, maximum } = zone;
  const rowCount = values.length;
  const bias = Math.floor(minimum / dayMs) - 1;
  const days = scratch.subarray(0, rowCount);
  const times = scratchTimes.subarray(0, rowCount);
  for (let row = 0; row < rowCount; row++) {
    const value = values[row];
    if (value !== value) {
      days[row] = 0;
      times[row] = 0;
      continue;
    }
    const day = Math.floor(value / dayMs);
    days[row] = day - bias;
    times[row] = value - day * dayMs;
  }
  const timeScale = steps.find((step) => isMultiple(times, step)) ?? 1;
  let latest = 0;
  for (let row = 0; row < rowCount; row++) {
    times[row] /= timeScale;
    if (times[row] > latest) latest = times[row];
  }
  const [dayPlace, timePlace] = store(
    [
      { stored: days, largest: Math.floor(maximum / dayMs) - bias },
      { stored: times, largest: latest },
    ],
    target,
  );
  return {
    form: "dayTime",
    rowCount,
    values: dayPlace,
    times: timePlace,
    bias,
    scale: 1,
    timeScale,
    decimals: 0,
    nullCount,
    minimum,
    maximum,
    sum: NaN,
  };
}

function isMultiple(times: Uint32Array, step: number): boolean {
  for (let row = 0; row < times.length; row++) if (times[row] % step !== 0) return false;
  return true;
}

/** The largest step that all datetimes share; of numbers, the one that makes them narrower. */
function chooseScale(
  values: Float64Array,
  power: number,
  low: number,
  range: number,
  type: Exclude<DataType, "text">,
): number {
  const width = widthOf(range + 1);
  if (type === "number" && width === 1) return 1;
  const scale = steps.find((step) => {
    if (range % step !== 0) return false;
    for (let row = 0; row < values.length; row++) {
      const value = values[row];
      if (value === value && (Math.round(value * power) - low) % step !== 0) return false;
    }
    return true;
  });
  if (scale === undefined) return 1;
  return type === "datetime" || widthOf(range / scale + 1) < width ? scale : 1;
}

/** More decimals than needed are taken when values stay exact and no wider. */
function chooseDecimals(zone: ZoneMap, decimals: number, target: SealTarget): number {
  const wanted = target.decimals ?? decimals;
  if (wanted <= decimals || zoneDecimals({ ...zone, decimals: wanted }) !== wanted) return decimals;
  const range = zone.maximum - zone.minimum;
  const isWider =
    widthOf(range * powersOfTen[wanted] + 2) > widthOf(range * powersOfTen[decimals] + 2);
  return isWider ? decimals : wanted;
}

/** Bytes of the narrowest stored form; more than 4 when there is none. */
function widthOf(largest: number): number {
  if (largest < 2 ** 8) return 1;
  if (largest < 2 ** 16) return 2;
  if (largest < 2 ** 24) return 3;
  return largest <= largestStored ? 4 : 8;
}

/** Copies unsigned numbers into one block, each at a multiple of 64 bytes and as narrow as its largest allows. */
function store(
  parts: readonly { readonly stored: Uint32Array | Int32Array; readonly largest: number }[],
  { memory, near }: SealTarget,
): StoredValues[] {
  const widths = parts.map(({ largest }) => widthOf(largest) as StoredValues["width"]);
  const sizes = parts.map(
    ({ stored }, part) => Math.ceil((stored.length * widths[part]) / 64) * 64,
  );
  const block = memory.allocate(
    sizes.reduce((sum, size) => sum + size, 0),
    near,
    false,
  );
  const buffer = memory.buffer(block.arena);
  let offset = block.offset;
  return parts.map(({ stored }, part) => {
    const width = widths[part];
    const place = { arena: block.arena, offset, width };
    if (width === 3) packThree(stored, new Uint8Array(buffer, offset, stored.length * 3));
    else if (width === 1) new Uint8Array(buffer, offset, stored.length).set(stored);
    else if (width === 2) new Uint16Array(buffer, offset, stored.length).set(stored);
    else new Uint32Array(buffer, offset, stored.length).set(stored);
    offset += sizes[part];
    return place;
  });
}

function packThree(stored: Uint32Array | Int32Array, bytes: Uint8Array): void {
  for (let row = 0, place = 0; row < stored.length; row++) {
    const value = stored[row];
    bytes[place++] = value;
    bytes[place++] = value >>> 8;
    bytes[place++] = value >>> 16;
  }
}

/** Sums value * 10^decimals in two halves that stay exact; NaN when the sum does not. */
function sumScaled(values: Float64Array, zone: ZoneMap, decimals: number): number {
  const power = powersOfTen[decimals];
  let sum = 0;
  const largest = Math.max(Math.abs(zone.minimum), Math.abs(zone.maximum)) * power;
  if (largest * values.length < 2 ** 53) {
    for (let row = 0; row < values.length; row++) {
      const value = values[row];
      if (value === value) sum += Math.round(value * power);
    }
    return sum;
  }
  let low = 0;
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (value !== value) continue;
    const scaled = Math.round(value * power);
    const high = Math.floor(scaled / halfRange);
    sum += high;
    low += scaled - high * halfRange;
  }
  const exact = BigInt(sum) * BigInt(halfRange) + BigInt(low);
  return exact > -maximumExact && exact < maximumExact ? Number(exact) : NaN;
}

const halfRange = 2 ** 26;
const maximumExact = 2n ** 53n;

function isFloat32(values: Float64Array): boolean {
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (value === value && Math.fround(value) !== value) return false;
  }
  return true;
}
