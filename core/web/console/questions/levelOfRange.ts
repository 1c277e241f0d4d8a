import { periodLengths } from "./periodMs.ts";

const fewEnough = 60;
const weeks = 4;
const days = 5;

/**
 * Returns the finest level that divides a range of instants into at most 60 periods; years for longer ranges. Weeks are
 * left out, because they do not divide months.
 */
export function levelOfRange(least: unknown, most: unknown, isDate: boolean): number {
  const rangeMs = Date.parse(String(most)) - Date.parse(String(least));
  if (Number.isNaN(rangeMs)) return 1;
  const fitting = [...periodLengths].filter(
    ([level, length]) =>
      rangeMs / length <= fewEnough && level !== weeks && (!isDate || level <= days),
  );
  return fitting.at(-1)?.[0] ?? 1;
}
