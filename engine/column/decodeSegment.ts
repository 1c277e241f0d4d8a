import type { Memory } from "../memory/memory.ts";
import { powersOfTen } from "./decimals.ts";
import type { Segment, StoredValues } from "./segment.ts";

const dayMs = 86_400_000;

/** Decodes a segment of numbers or datetimes into doubles, NaN for null. */
export function decodeNumbers(memory: Memory, segment: Segment): Float64Array {
  const { form, rowCount, bias, scale, timeScale, decimals } = segment;
  const numbers = new Float64Array(rowCount);
  if (form === "null" || !segment.values) return numbers.fill(NaN);
  const stored = readStored(memory, segment.values, rowCount, form === "float");
  if (form === "float") numbers.set(stored);
  else if (form === "dayTime") {
    const times = segment.times && readStored(memory, segment.times, rowCount, false);
    for (let row = 0; row < rowCount; row++)
      numbers[row] =
        stored[row] === 0
          ? NaN
          : (bias + stored[row] * scale) * dayMs + (times ? times[row] * timeScale : 0);
  } else {
    const power = powersOfTen[decimals];
    for (let row = 0; row < rowCount; row++)
      numbers[row] = stored[row] === 0 ? NaN : (bias + stored[row] * scale) / power;
  }
  return numbers;
}

/** Decodes a segment of texts into stored codes: the dictionary's code plus one, 0 for null. */
export function decodeCodes(memory: Memory, { values, rowCount }: Segment): Int32Array {
  const codes = new Int32Array(rowCount);
  if (values) codes.set(readStored(memory, values, rowCount, false));
  return codes;
}

function readStored(
  memory: Memory,
  { arena, offset, width }: StoredValues,
  rowCount: number,
  isFloat: boolean,
): Float32Array | Float64Array | Uint8Array | Uint16Array | Uint32Array {
  const buffer = memory.buffer(arena);
  if (isFloat)
    return width === 4
      ? new Float32Array(buffer, offset, rowCount)
      : new Float64Array(buffer, offset, rowCount);
  if (width === 1) return new Uint8Array(buffer, offset, rowCount);
  if (width === 2) return new Uint16Array(buffer, offset, rowCount);
  if (width === 4) return new Uint32Array(buffer, offset, rowCount);
  const bytes = new Uint8Array(buffer, offset, rowCount * 3);
  const stored = new Uint32Array(rowCount);
  for (let row = 0, place = 0; row < rowCount; row++, place += 3)
    stored[row] = bytes[place] | (bytes[place + 1] << 8) | (bytes[place + 2] << 16);
  return stored;
}
