import type { DataType } from "../../types.ts";
import { powersOfTen } from "../segment/decimals.ts";
import { openSealMemory, type SealMemory } from "./sealMemory.ts";
import { createNullSegment, type Segment, type StoredWidth } from "../segment/segment.ts";
import type { SegmentMemory } from "../segment/segmentMemory.ts";
import { zoneDecimals, zoneOfCodes, zoneOfNumbers, type ZoneMap } from "./zoneMap.ts";

const dayMs = 86_400_000;
/** Common steps of whole numbers: days, hours, minutes and seconds in milliseconds. */
const steps = [dayMs, 3_600_000, 60_000, 1000];
const largestStored = 2 ** 32 - 1;

/** The memory to which a segment is written. */
export interface SealTarget {
  readonly memory: SegmentMemory;
  /** The arena of the row group's other columns, if known. */
  readonly near: number | undefined;
  /**
   * Preferred number of decimals. It is ignored if it would make the stored values wider than the number of decimals
   * that they need.
   */
  readonly decimals?: number;
}

/**
 * Copies a row group of doubles, with NaN for null, to its narrowest exact form. Computes the zone map if `zone` is
 * undefined.
 */
export function sealNumbers(
  values: Float64Array,
  known: ZoneMap | undefined,
  type: Exclude<DataType, "text">,
  target: SealTarget,
): Segment {
  const rowCount = values.length;
  const memory = openSealMemory();
  memory.values.set(values);
  const zone = known ?? zoneOfNumbers(rowCount);
  const { nullCount, minimum, maximum } = zone;
  if (nullCount === rowCount) return createNullSegment(rowCount);
  const rows: Rows = { memory, rowCount, zone, type };
  const decimals = zoneDecimals(zone);
  if (type === "datetime" && !zone.hasNegativeZero)
    return sealWhole(rows, 0, target) ?? sealDayTime(rows, target);
  if (decimals >= 0 && !zone.hasNegativeZero) {
    const sealed = sealWhole(rows, chooseDecimals(zone, decimals, target), target);
    if (sealed) return sealed;
  }
  const { sealers, valuesAt, sealedAt } = rows.memory;
  const isNarrow = sealers.sealFloat4(valuesAt, rowCount, sealedAt) === rowCount;
  const width = isNarrow ? 4 : 8;
  const { arena, offsets } = store(target, rows, [{ width, from: isNarrow ? sealedAt : valuesAt }]);
  return {
    form: "float",
    rowCount,
    values: { arena, offset: offsets[0], width },
    decimals: type === "datetime" ? 0 : decimals,
    nullCount,
    minimum,
    maximum,
    sum: type === "datetime" || decimals < 0 ? NaN : sumScaled(rows, decimals),
  };
}

/** Copies a row group of stored codes (code plus one; 0 is null) into its narrowest form. */
export function sealCodes(codes: Int32Array, zone: ZoneMap, target: SealTarget): Segment {
  openSealMemory().words.set(codes);
  return sealWords(codes.length, zone, target);
}

/** Copies a row group of a batch's codes, with -1 for null, into the narrowest form of stored codes. */
export function sealBatchCodes(codes: Int32Array, target: SealTarget): Segment {
  const { words, wordsAt, sealers } = openSealMemory();
  words.set(codes);
  sealers.nextWords(wordsAt, codes.length);
  return sealWords(codes.length, zoneOfCodes(codes.length), target);
}

/** Seals the first `rowCount` stored codes in this thread's seal memory. */
export function sealWords(rowCount: number, zone: ZoneMap, target: SealTarget): Segment {
  const memory = openSealMemory();
  const { nullCount, minimum, maximum } = zone;
  if (nullCount === rowCount) return createNullSegment(rowCount);
  const width = widthOf(maximum);
  memory.sealers.sealWords[width](memory.wordsAt, rowCount, memory.sealedAt);
  const parts = [{ width, from: memory.sealedAt }];
  const { arena, offsets } = store(target, { memory, rowCount }, parts);
  return {
    form: "code",
    rowCount,
    values: { arena, offset: offsets[0], width },
    decimals: 0,
    nullCount,
    minimum,
    maximum,
    sum: NaN,
  };
}

/** Numbers or datetimes of one row group, already in the seal memory. */
interface Rows {
  readonly memory: SealMemory;
  readonly rowCount: number;
  readonly zone: ZoneMap;
  readonly type: Exclude<DataType, "text">;
}

/** Stores value * 10^decimals minus a bias, divided by a step. Returns undefined if the result exceeds 32 bits. */
function sealWhole(rows: Rows, decimals: number, target: SealTarget): Segment | undefined {
  const { memory, rowCount, type } = rows;
  const { nullCount, minimum, maximum } = rows.zone;
  const power = powersOfTen[decimals];
  const low = Math.round(minimum * power);
  const high = Math.round(maximum * power);
  const scale = chooseScale(rows, power, low, high - low);
  const bias = low - scale;
  const largest = (high - low) / scale + 1;
  if (largest > largestStored || bias < Number.MIN_SAFE_INTEGER) return undefined;
  const width = widthOf(largest);
  const { sealers, valuesAt, sealedAt } = memory;
  sealers.sealWhole[width](valuesAt, rowCount, power, bias, scale, sealedAt);
  const { arena, offsets } = store(target, rows, [{ width, from: sealedAt }]);
  return {
    form: "whole",
    rowCount,
    values: { arena, offset: offsets[0], width },
    bias,
    scale,
    decimals,
    nullCount,
    minimum,
    maximum,
    sum: type === "datetime" ? NaN : sumScaled(rows, decimals),
  };
}

/** Stores datetimes as days and times of day. */
function sealDayTime(rows: Rows, target: SealTarget): Segment {
  const { memory, rowCount } = rows;
  const { nullCount, minimum, maximum } = rows.zone;
  const { sealers, valuesAt, wordsAt, timesAt, sealedAt } = memory;
  const bias = Math.floor(minimum / dayMs) - 1;
  sealers.splitDayTime(valuesAt, rowCount, bias, wordsAt, timesAt);
  const isShared = (step: number) => sealers.shareStepWords(timesAt, rowCount, step) === 1;
  const timeScale = steps.find(isShared) ?? 1;
  const latest = sealers.divideWords(timesAt, rowCount, timeScale);
  const dayWidth = widthOf(Math.floor(maximum / dayMs) - bias);
  const timeWidth = widthOf(latest);
  // The values are not needed after this, so their memory can be overwritten.
  sealers.sealWords[dayWidth](wordsAt, rowCount, sealedAt);
  sealers.sealWords[timeWidth](timesAt, rowCount, valuesAt);
  const { arena, offsets } = store(target, rows, [
    { width: dayWidth, from: sealedAt },
    { width: timeWidth, from: valuesAt },
  ]);
  return {
    form: "dayTime",
    rowCount,
    values: { arena, offset: offsets[0], width: dayWidth },
    times: { arena, offset: offsets[1], width: timeWidth },
    bias,
    timeScale,
    decimals: 0,
    nullCount,
    minimum,
    maximum,
    sum: NaN,
  };
}

/** Returns the largest common step of all values. For numbers, returns a step only if it makes them narrower. */
function chooseScale(
  { memory, rowCount, type }: Rows,
  power: number,
  low: number,
  range: number,
): number {
  const width = bytesOf(range + 1);
  if (type === "number" && width === 1) return 1;
  const { sealers, valuesAt } = memory;
  const scale = steps.find(
    (step) => range % step === 0 && sealers.shareStep(valuesAt, rowCount, power, low, step) === 1,
  );
  if (scale === undefined) return 1;
  return type === "datetime" || bytesOf(range / scale + 1) < width ? scale : 1;
}

/**
 * Returns the number of decimals that the target prefers if values stay exact and become no wider with it; otherwise
 * the number of decimals that the values need.
 */
function chooseDecimals(zone: ZoneMap, decimals: number, target: SealTarget): number {
  const wanted = target.decimals ?? decimals;
  if (wanted <= decimals || zoneDecimals({ ...zone, decimals: wanted }) !== wanted) return decimals;
  const range = zone.maximum - zone.minimum;
  const isWider =
    bytesOf(range * powersOfTen[wanted] + 2) > bytesOf(range * powersOfTen[decimals] + 2);
  return isWider ? decimals : wanted;
}

/** Returns the number of bytes per value of the narrowest stored form for whole numbers up to 2^32 - 1. */
function widthOf(largest: number): StoredWidth {
  if (largest < 2 ** 8) return 1;
  if (largest < 2 ** 16) return 2;
  return largest < 2 ** 24 ? 3 : 4;
}

/**
 * Returns the number of bytes per value of the narrowest form; 8, as for a float, if the numbers are too large for all
 * whole-number forms.
 */
function bytesOf(largest: number): number {
  return largest <= largestStored ? widthOf(largest) : 8;
}

/** Copies sealed parts into one block, each padded to a multiple of 64 bytes. Returns the offset of each part. */
function store(
  { memory: to, near }: SealTarget,
  { memory, rowCount }: Pick<Rows, "memory" | "rowCount">,
  parts: readonly { readonly width: number; readonly from: number }[],
): { readonly arena: number; readonly offsets: readonly number[] } {
  const sizes = parts.map(({ width }) => Math.ceil((rowCount * width) / 64) * 64);
  const block = to.allocate(
    sizes.reduce((sum, size) => sum + size, 0),
    near,
    false,
  );
  const bytes = new Uint8Array(to.buffer(block.arena));
  let end = block.offset;
  const offsets = parts.map(({ width, from }, part) => {
    const offset = end;
    bytes.set(memory.bytes.subarray(from, from + rowCount * width), offset);
    end += sizes[part];
    return offset;
  });
  return { arena: block.arena, offsets };
}

/** Sums value * 10^decimals in two halves that stay exact. Returns NaN if the total is not exact. */
function sumScaled({ memory, rowCount }: Rows, decimals: number): number {
  const { sealers, valuesAt, results, resultsAt } = memory;
  sealers.sumScaled(valuesAt, rowCount, powersOfTen[decimals], resultsAt);
  const [high, low] = results;
  if (Math.abs(high) < 2 ** 26) return high * halfRange + low;
  const exact = BigInt(high) * BigInt(halfRange) + BigInt(low);
  return exact > -maximumExact && exact < maximumExact ? Number(exact) : NaN;
}

const halfRange = 2 ** 26;
const maximumExact = 2n ** 53n;
