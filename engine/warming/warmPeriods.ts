import { dayMs } from "../time/calendar.ts";
import { periodDayTable } from "../time/periodDayTable.ts";
import { compilePeriodFloor } from "../time/periodFloor.ts";
import { readZone } from "../time/zone.ts";

const roundCount = 8;
/** Number of days per table: a few years. */
const dayCount = 1200;
const firstDay = Date.UTC(2021, 0, 1) / dayMs;
const zones = ["UTC", "Europe/Brussels", "Asia/Kolkata"];
const periods = ["day", "week", "month", "quarter", "year"] as const;

/**
 * Tabulates the periods of a few years until V8 has optimized the code. The first query by day in a time zone runs this
 * code for a thousand days. Yields after a few milliseconds. Returns the number of truncations. Takes about 15 ms.
 */
export async function warmPeriods(isFree: () => Promise<boolean>): Promise<number> {
  let madeCount = 0;
  for (let round = 0; round < roundCount && (await isFree()); round++)
    for (const name of zones)
      for (const period of periods) {
        // Rows do not start at midnight, as in real data.
        const from = (firstDay + round) * dayMs + 12_345;
        const floor = compilePeriodFloor(readZone(name), period, from, from + dayCount * dayMs);
        if (periodDayTable(floor, firstDay + round, dayCount)) madeCount++;
      }
  return madeCount;
}
