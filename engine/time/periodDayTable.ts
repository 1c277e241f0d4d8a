import { dayMs } from "./calendar.ts";
import { numberAt } from "./numberAt.ts";
import { periodStart, type PeriodFloor } from "./periodFloor.ts";

/**
 * A time of day that never occurs, because it is later than every other. It stands for a period that does not start on
 * the day.
 */
export const neverMs = 4_294_967_295;

/**
 * Tabulates a truncation by UTC day, with three 32-bit numbers per day. Entries 1 to `dayCount` are consecutive days;
 * `firstDay` is the first, in days since 1970. The first number is the number of the period at the start of the day,
 * counted as by `numberPeriods`. The second and the third number are the milliseconds of the day at which the next two
 * period numbers start, or `neverMs`. Entry 0 is null and contains zeros. Instants outside the compiled range get the
 * first or the last number. Returns undefined if a day has more than three periods, or if periods are not numbered.
 * Takes O(days).
 */
export function periodDayTable(
  floor: PeriodFloor,
  firstDay: number,
  dayCount: number,
): Uint32Array | undefined {
  if (floor.kind === "zone") return undefined;
  const startMs = (number: number) =>
    number > floor.count ? Infinity : periodStart(floor, number);
  const table = new Uint32Array((dayCount + 1) * 3).fill(neverMs, 3);
  let number = numberAt(floor, firstDay * dayMs);
  for (let index = 1; index <= dayCount; index++) {
    const midnightMs = (firstDay + index - 1) * dayMs;
    while (startMs(number + 1) <= midnightMs) number++;
    table[index * 3] = number;
    for (let next = 1; startMs(number + next) < midnightMs + dayMs; next++) {
      if (next > 2) return undefined;
      table[index * 3 + next] = startMs(number + next) - midnightMs;
    }
  }
  return table;
}
