import assert from "node:assert/strict";
import { vectorSize } from "../../../engine/kernels/kernels.ts";
import type { Memory } from "../../../engine/memory/memory.ts";
import { periodDayTable } from "../../../engine/time/periodDayTable.ts";
import { compilePeriodFloor } from "../../../engine/time/periodFloor.ts";
import { readZone } from "../../../engine/time/zone.ts";
import type { Random } from "../../support/random.ts";
import { ColumnMaker } from "./columnMaker.ts";
import { floors } from "./plainTwin.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/**
 * Returns a vector of instants from 2018 to 2024, which are stored as days and times, and the key of their periods.
 * Some instants are in the last hours of a month.
 */
export function daysWithTimes(
  random: Random,
  memory: Memory,
  zone: string,
  period: "month" | "year",
) {
  const instants = Float64Array.from({ length: vectorSize }, () =>
    random.chance(0.2)
      ? Date.UTC(2019, random.below(60), 1) - (1 + random.below(3)) * hourMs
      : Date.UTC(2018, 11, 1) + random.below(1900 * 86_400) * 1000 + random.below(1000),
  );
  const column = new ColumnMaker(random, memory, [vectorSize], false).exactly(
    [instants],
    "datetime",
  );
  assert.equal(column.segments[0].form, "dayTime");
  const [least, most] = [Math.min(...instants), Math.max(...instants)];
  const floor = compilePeriodFloor(readZone(zone), period, least, most);
  assert.ok(floor.kind !== "zone");
  floors.set(floor, { period, zone });
  const firstDay = Math.floor(least / dayMs);
  const table = periodDayTable(floor, firstDay, Math.floor(most / dayMs) - firstDay + 1);
  assert.ok(table);
  const key = {
    kind: "period",
    of: { kind: "column", column: 0 },
    floor,
    cardinality: floor.count + 1,
    days: { firstDay, table },
  } as const;
  return { columns: [column], key };
}
