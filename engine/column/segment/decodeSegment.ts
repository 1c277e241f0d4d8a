import { powersOfTen } from "./decimals.ts";
import { rowGroupSize, type Segment, type StoredValues, type StoredWidth } from "./segment.ts";
import type { SegmentMemory } from "./segmentMemory.ts";

type ReadMemory = Pick<SegmentMemory, "buffer">;

const dayMs = 86_400_000;
/**
 * Scratch for stored whole numbers and times of day, widened to 32 bits. A loop over one type of array is several times
 * faster than a loop over many types.
 */
const scratch = new Uint32Array(rowGroupSize);
const scratchTimes = new Uint32Array(rowGroupSize);

/** Decodes a segment of numbers or datetimes into doubles, with NaN for null. */
export function decodeNumbers(memory: ReadMemory, segment: Segment): Float64Array {
  const { rowCount } = segment;
  const numbers = new Float64Array(rowCount);
  switch (segment.form) {
    case "null":
      return numbers.fill(NaN);
    case "float": {
      const { arena, offset, width } = segment.values;
      const buffer = memory.buffer(arena);
      numbers.set(
        width === 4
          ? new Float32Array(buffer, offset, rowCount)
          : new Float64Array(buffer, offset, rowCount),
      );
      return numbers;
    }
    case "dayTime": {
      const { values, times, bias, timeScale } = segment;
      const days = widen(memory, values, rowCount, scratch);
      if (times) widen(memory, times, rowCount, scratchTimes);
      else scratchTimes.fill(0);
      decodeDayTimes(days, scratchTimes, bias, timeScale, numbers);
      return numbers;
    }
    case "whole": {
      const { values, bias, scale, decimals } = segment;
      const stored = widen(memory, values, rowCount, scratch);
      decodeWhole(stored, bias, scale, powersOfTen[decimals], numbers);
      return numbers;
    }
    case "code":
      throw new TypeError("codes of strings cannot be decoded as numbers");
  }
}

// These loops avoid objects, because their many shapes would make V8 discard the compiled code repeatedly. They also
// avoid conditional expressions of numbers, whose results V8's middle compiler allocates on the heap.

function decodeDayTimes(
  days: Uint32Array,
  times: Uint32Array,
  bias: number,
  timeScale: number,
  numbers: Float64Array,
): void {
  for (let row = 0; row < numbers.length; row++)
    if (days[row] === 0) numbers[row] = NaN;
    else numbers[row] = (bias + days[row]) * dayMs + times[row] * timeScale;
}

function decodeWhole(
  stored: Uint32Array,
  bias: number,
  scale: number,
  power: number,
  numbers: Float64Array,
): void {
  for (let row = 0; row < numbers.length; row++)
    if (stored[row] === 0) numbers[row] = NaN;
    else numbers[row] = (bias + stored[row] * scale) / power;
}

/** Decodes a segment of strings into stored codes (dictionary code plus one; 0 is null). */
export function decodeCodes(memory: ReadMemory, segment: Segment): Int32Array {
  const codes = new Int32Array(segment.rowCount);
  return segment.form === "code" ? widen(memory, segment.values, segment.rowCount, codes) : codes;
}

/** Copies stored whole numbers, widened to 32 bits, to the start of `into`. */
function widen<Numbers extends Int32Array | Uint32Array>(
  memory: ReadMemory,
  { arena, offset, width }: StoredValues<StoredWidth>,
  rowCount: number,
  into: Numbers,
): Numbers {
  const buffer = memory.buffer(arena);
  if (width === 1) into.set(new Uint8Array(buffer, offset, rowCount));
  else if (width === 2) into.set(new Uint16Array(buffer, offset, rowCount));
  else if (width === 4) into.set(new Uint32Array(buffer, offset, rowCount));
  else {
    const bytes = new Uint8Array(buffer, offset, rowCount * 3);
    for (let row = 0, place = 0; row < rowCount; row++, place += 3)
      into[row] = bytes[place] | (bytes[place + 1] << 8) | (bytes[place + 2] << 16);
  }
  return into;
}
