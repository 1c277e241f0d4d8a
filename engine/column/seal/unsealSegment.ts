import { powersOfTen } from "../segment/decimals.ts";
import { openSealMemory, type SealMemory } from "./sealMemory.ts";
import type { Segment, StoredValues } from "../segment/segment.ts";

const dayMs = 86_400_000;

/**
 * Brings a segment of numbers or datetimes, whose values lie in `stored`, into the memory of this thread, where they are
 * sealed: doubles, NaN for null. What is returned views it.
 */
export function unsealNumbers(stored: Uint8Array, segment: Segment): Float64Array {
  const memory = openSealMemory();
  const { sealers, valuesAt, wordsAt, timesAt, storedAt } = memory;
  const { form, rowCount, values, times, bias, scale, timeScale, decimals } = segment;
  const rows = memory.values.subarray(0, rowCount);
  if (form === "null" || !values) return rows.fill(NaN);
  const { width } = values;
  place(memory, stored, values, rowCount);
  if (form === "float") sealers.decodeFloat[width as 4 | 8](storedAt, rowCount, valuesAt);
  else if (form === "dayTime" && times) {
    sealers.widen[width as WholeWidth](storedAt, rowCount, wordsAt);
    place(memory, stored, times, rowCount);
    sealers.widen[times.width as WholeWidth](storedAt, rowCount, timesAt);
    sealers.joinDayTimes(wordsAt, timesAt, rowCount, bias, timeScale, valuesAt);
  } else {
    const unit = form === "dayTime" ? dayMs : 1;
    const unseal = sealers.unsealWhole[width as WholeWidth];
    unseal(storedAt, rowCount, bias * unit, scale * unit, powersOfTen[decimals], valuesAt);
  }
  return rows;
}

/** As `unsealNumbers`, of a segment of texts: stored codes, the batch's by way of `codes`, the dictionary's by the batch's. */
export function unsealCodes(stored: Uint8Array, segment: Segment, codes: Int32Array): Int32Array {
  const memory = openSealMemory();
  const { sealers, wordsAt, storedAt } = memory;
  const { rowCount, values } = segment;
  const words = memory.words.subarray(0, rowCount);
  if (!values) return words.fill(0);
  place(memory, stored, values, rowCount);
  sealers.widen[values.width as WholeWidth](storedAt, rowCount, wordsAt);
  sealers.translateWords(wordsAt, rowCount, memory.placeTable(codes));
  return words;
}

type WholeWidth = 1 | 2 | 3 | 4;

function place(
  { bytes, storedAt }: SealMemory,
  stored: Uint8Array,
  { offset, width }: StoredValues,
  rowCount: number,
): void {
  bytes.set(stored.subarray(offset, offset + rowCount * width), storedAt);
}
