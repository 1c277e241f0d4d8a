import { powersOfTen } from "./decimals.ts";
import { rowGroupSize, type Segment, type StoredValues } from "./segment.ts";
import type { SegmentMemory } from "./segmentMemory.ts";

type ReadMemory = Pick<SegmentMemory, "buffer">;

const dayMs = 86_400_000;
/** Stored whole numbers, and times of the day, at 32 bits: loops over one kind of array are several times faster than over many. */
const scratch = new Uint32Array(rowGroupSize);
const scratchTimes = new Uint32Array(rowGroupSize);

/** Decodes a segment of numbers or datetimes into doubles, NaN for null. */
export function decodeNumbers(memory: ReadMemory, segment: Segment): Float64Array {
  const { form, rowCount, values, times, bias, scale, timeScale, decimals } = segment;
  const numbers = new Float64Array(rowCount);
  if (form === "null" || !values) return numbers.fill(NaN);
  if (form === "float") {
    const { arena, offset, width } = values;
    const buffer = memory.buffer(arena);
    numbers.set(
      width === 4
        ? new Float32Array(buffer, offset, rowCount)
        : new Float64Array(buffer, offset, rowCount),
    );
    return numbers;
  }
  const stored = widen(memory, values, rowCount, scratch);
  if (form === "dayTime") {
    if (times) widen(memory, times, rowCount, scratchTimes);
    else scratchTimes.fill(0);
    decodeDayTimes(stored, scratchTimes, bias, scale, timeScale, numbers);
  } else decodeWhole(stored, bias, scale, powersOfTen[decimals], numbers);
  return numbers;
}

// Loops apart from objects, whose many shapes would have V8 throw the compiled code away again and again; and without a
// choice between two numbers, which V8's middle compiler puts on the heap one by one.

function decodeDayTimes(
  days: Uint32Array,
  times: Uint32Array,
  bias: number,
  scale: number,
  timeScale: number,
  numbers: Float64Array,
): void {
  for (let row = 0; row < numbers.length; row++)
    if (days[row] === 0) numbers[row] = NaN;
    else numbers[row] = (bias + days[row] * scale) * dayMs + times[row] * timeScale;
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

/** Decodes a segment of texts into stored codes, the dictionary's code plus one, 0 for null. */
export function decodeCodes(memory: ReadMemory, { values, rowCount }: Segment): Int32Array {
  const codes = new Int32Array(rowCount);
  if (!values) return codes;
  return widen(memory, values, rowCount, codes);
}

/** Copies stored whole numbers, at 32 bits, to the first ones of `into`. */
function widen<Numbers extends Int32Array | Uint32Array>(
  memory: ReadMemory,
  { arena, offset, width }: StoredValues,
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
