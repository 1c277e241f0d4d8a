import type { Period } from "../types.ts";
import { periodDayTable } from "./periodDayTable.ts";
import { compilePeriodFloor, type PeriodFloor } from "./periodFloor.ts";
import type { Zone } from "./zone.ts";

interface Compiled {
  readonly zone: Zone;
  readonly period: Period;
  readonly minimum: number;
  readonly maximum: number;
  readonly floor: PeriodFloor;
}

interface DayTable {
  readonly firstDay: number;
  readonly dayCount: number;
  readonly table: Uint32Array | undefined;
}

/** Maximum number of cached truncations. Together they usually use a few kilobytes, and at most a few megabytes. */
const keptCount = 16;

/** The most recently used truncations, latest first. */
const recent: Compiled[] = [];
const dayTables = new WeakMap<PeriodFloor, DayTable>();

/**
 * Like `compilePeriodFloor`, but caches the most recently used truncations, so that the queries of a dashboard share
 * them. Callers must not change the result.
 */
export function recentPeriodFloor(
  zone: Zone,
  period: Period,
  minimum: number,
  maximum: number,
): PeriodFloor {
  const place = recent.findIndex(
    (each) =>
      each.zone === zone &&
      each.period === period &&
      each.minimum === minimum &&
      each.maximum === maximum,
  );
  const [known] = place < 0 ? [] : recent.splice(place, 1);
  const floor = known?.floor ?? compilePeriodFloor(zone, period, minimum, maximum);
  recent.unshift(known ?? { zone, period, minimum, maximum, floor });
  recent.length = Math.min(recent.length, keptCount);
  return floor;
}

/**
 * Like `periodDayTable`, but caches the table together with its truncation, for as long as the days stay the same.
 * Callers must not change the result.
 */
export function recentDayTable(
  floor: PeriodFloor,
  firstDay: number,
  dayCount: number,
): Uint32Array | undefined {
  const known = dayTables.get(floor);
  if (known && known.firstDay === firstDay && known.dayCount === dayCount) return known.table;
  const table = periodDayTable(floor, firstDay, dayCount);
  dayTables.set(floor, { firstDay, dayCount, table });
  return table;
}
