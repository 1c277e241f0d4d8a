import { powersOfTen } from "../segment/decimals.ts";
import { openSealMemory, type SealMemory } from "./sealMemory.ts";
import type { Segment, StoredValues } from "../segment/segment.ts";

const dayMs = 86_400_000;

/**
 * Decodes a segment of numbers or datetimes from `stored` into this thread's seal memory. Returns a view of the
 * doubles, with NaN for null.
 */
export function unsealNumbers(stored: Uint8Array, segment: Segment): Float64Array {
  const memory = openSealMemory();
  const { sealers, valuesAt, wordsAt, timesAt, storedAt } = memory;
  const { rowCount } = segment;
  const rows = memory.values.subarray(0, rowCount);
  if (segment.form === "null") return rows.fill(NaN);
  place(memory, stored, segment.values, rowCount);
  switch (segment.form) {
    case "float":
      sealers.decodeFloat[segment.values.width](storedAt, rowCount, valuesAt);
      return rows;
    case "whole": {
      const { values, bias, scale, decimals } = segment;
      const unseal = sealers.unsealWhole[values.width];
      unseal(storedAt, rowCount, bias, scale, powersOfTen[decimals], valuesAt);
      return rows;
    }
    case "dayTime": {
      const { values, times, bias, timeScale } = segment;
      if (!times) {
        const unseal = sealers.unsealWhole[values.width];
        unseal(storedAt, rowCount, bias * dayMs, dayMs, 1, valuesAt);
        return rows;
      }
      sealers.widen[values.width](storedAt, rowCount, wordsAt);
      place(memory, stored, times, rowCount);
      sealers.widen[times.width](storedAt, rowCount, timesAt);
      sealers.joinDayTimes(wordsAt, timesAt, rowCount, bias, timeScale, valuesAt);
      return rows;
    }
    case "code":
      throw new TypeError("codes of strings cannot be decoded as numbers");
  }
}

/**
 * Like `unsealNumbers`, for a segment of strings: returns stored codes of the dictionary. `codes` maps the batch's
 * codes to codes of the dictionary.
 */
export function unsealCodes(stored: Uint8Array, segment: Segment, codes: Int32Array): Int32Array {
  const memory = openSealMemory();
  const { sealers, wordsAt, storedAt } = memory;
  const { rowCount } = segment;
  const words = memory.words.subarray(0, rowCount);
  if (segment.form !== "code") return words.fill(0);
  place(memory, stored, segment.values, rowCount);
  sealers.widen[segment.values.width](storedAt, rowCount, wordsAt);
  sealers.translateWords(wordsAt, rowCount, memory.placeTable(codes));
  return words;
}

function place(
  { bytes, storedAt }: SealMemory,
  stored: Uint8Array,
  { offset, width }: StoredValues,
  rowCount: number,
): void {
  bytes.set(stored.subarray(offset, offset + rowCount * width), storedAt);
}
