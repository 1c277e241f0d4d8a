import { dayMs } from "../time/calendar.ts";
import { periodDayTable } from "../time/periodDayTable.ts";
import { compilePeriodFloor } from "../time/periodFloor.ts";
import { readZone } from "../time/zone.ts";

const roundCount = 8;
/** Days of a table of some years. */
const dayCount = 1200;
const firstDay = Date.UTC(2021, 0, 1) / dayMs;
const zones = ["UTC", "Europe/Brussels", "Asia/Kolkata"];
const periods = ["day", "week", "month", "quarter", "year"] as const;

/**
 * Tabulates the periods of some years as often as makes V8 optimize it: a first question by a zone's days does it for
 * each of a thousand days. Pauses after some milliseconds; returns how many truncations were made. Costs some 15 ms.
 */
export async function warmPeriods(isFree: () => Promise<boolean>): Promise<number> {
  let madeCount = 0;
  for (let round = 0; round < roundCount && (await isFree()); round++)
    for (const name of zones)
      for (const period of periods) {
        // Not from the first instant of a day on, as rows are.
        const from = (firstDay + round) * dayMs + 12_345;
        const floor = compilePeriodFloor(readZone(name), period, from, from + dayCount * dayMs);
        if (periodDayTable(floor, firstDay + round, dayCount)) madeCount++;
      }
  return madeCount;
}
