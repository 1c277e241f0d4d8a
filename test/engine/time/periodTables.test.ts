import * as assert from "uvu/assert";
import { periodDayTable, neverMs } from "../../../engine/time/periodDayTable.ts";
import { periodThresholds } from "../../../engine/time/periodThresholds.ts";
import {
  compilePeriodFloor,
  numberPeriods,
  periodCount,
  periodStart,
  type PeriodFloor,
} from "../../../engine/time/periodFloor.ts";
import { readZone } from "../../../engine/time/zone.ts";
import { periods, type Period } from "../../../engine/types.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";

const dayMs = 86_400_000;
const zones = [
  "UTC",
  "Europe/Brussels",
  "America/New_York",
  "America/Sao_Paulo",
  "Asia/Kathmandu",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Pacific/Chatham",
  "Europe/Amsterdam",
  "America/St_Johns",
  "Africa/Casablanca",
];

/**
 * Returns instants of a span: random instants, and instants at and next to every midnight and every change of period.
 */
function makeInstants(random: Random, floor: PeriodFloor, minimum: number, maximum: number) {
  const instants = [minimum, maximum];
  for (let count = 0; count < 200; count++)
    instants.push(minimum + Math.floor((random.below(2 ** 30) / 2 ** 30) * (maximum - minimum)));
  for (let round = 0; round < rounds({ quick: 12, deep: 100 }); round++) {
    const midnight = Math.floor(random.pick(instants) / dayMs) * dayMs;
    instants.push(midnight - 1, midnight, midnight + 1);
    const count = Math.min(periodCount(floor) ?? 0, 2 ** 31);
    if (count === 0) continue;
    const start = periodStart(floor, 1 + random.below(count));
    instants.push(start - 1, start, start + 1);
  }
  return Float64Array.from(instants.filter((instant) => instant >= minimum && instant <= maximum));
}

function numbersOf(floor: PeriodFloor, instants: Float64Array): number[] {
  const numbers = new Int32Array(instants.length);
  numberPeriods(floor, instants, instants.length, numbers);
  return [...numbers];
}

const thresholdNumbers = (
  { first, starts }: NonNullable<ReturnType<typeof periodThresholds>>,
  instants: Float64Array,
) => [...instants].map((instant) => first + starts.filter((start) => start <= instant).length);

const tableNumbers = (table: Uint32Array, firstDay: number, instants: Float64Array) =>
  [...instants].map((instant) => {
    const day = Math.floor(instant / dayMs);
    const at = (day - firstDay + 1) * 3;
    const time = instant - day * dayMs;
    return table[at] + Number(time >= table[at + 1]) + Number(time >= table[at + 2]);
  });

/** Checks the day table and the thresholds for a span of time, and returns which of them exist. */
function check(random: Random, name: string, period: Period, minimum: number, maximum: number) {
  const floor = compilePeriodFloor(readZone(name), period, minimum, maximum);
  const label = `${name} ${period} ${floor.kind} ${minimum} ${maximum}`;
  const instants = makeInstants(random, floor, minimum, maximum);
  const expected = numbersOf(floor, instants);
  const thresholds = periodThresholds(floor, minimum, maximum, 10_000);
  if (thresholds) {
    assert.equal(thresholdNumbers(thresholds, instants), expected, label);
    assert.ok(thresholds.starts.every((start) => start > minimum && start <= maximum));
  }
  const firstDay = Math.floor(minimum / dayMs) - random.below(3);
  const dayCount = Math.floor(maximum / dayMs) - firstDay + 1 + random.below(3);
  const table = periodDayTable(floor, firstDay, dayCount);
  if (table) {
    assert.is(table.length, (dayCount + 1) * 3);
    assert.equal([...table.subarray(0, 3)], [0, 0, 0]);
    assert.equal(tableNumbers(table, firstDay, instants), expected, label);
    for (let at = 3; at < table.length; at += 3)
      assert.ok(table[at] >= 1 && table[at] <= (periodCount(floor) ?? 0), label);
  }
  return { floor, table, thresholds };
}

suite("engine/time/periodTables", (test) => {
  test.deep(
    "numbering periods with tables of days and with thresholds agrees with numberPeriods for every period and zone",
    async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        for (const name of zones)
          for (const period of periods) {
            const minimum =
              Date.UTC(1860 + random.below(190), random.below(12), 1) + random.below(dayMs);
            const spanMs = random.pick([0, 5000, 3_600_000 * 5, dayMs * 40, dayMs * 4000]);
            const { floor, table, thresholds } = check(
              random,
              name,
              period,
              minimum,
              minimum + Math.floor((random.below(2 ** 30) / 2 ** 30) * spanMs),
            );
            const isLong = ["year", "quarter", "month", "week", "day"].includes(period);
            if (isLong)
              assert.ok(floor.kind !== "zone" && table && thresholds, `${name} ${period}`);
          }
      });
    },
  );

  test("period numbers from tables of days and from thresholds are correct across every transition of a zone", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (const name of zones) {
        const { transitions } = readZone(name);
        for (let round = 0; round < 20 && transitions.length > 0; round++) {
          const transition = random.pick([...transitions]);
          for (const period of ["day", "week", "month", "hour"] as const)
            check(
              random,
              name,
              period,
              transition - random.below(3 * dayMs),
              transition + random.below(3 * dayMs),
            );
        }
      }
    });
  });

  test("two clock transitions within one day at the date line are distinguished", () => {
    const [minimum, maximum] = [Date.UTC(2011, 11, 29), Date.UTC(2012, 0, 1)];
    const { table } = check(createRandom(1), "Pacific/Apia", "day", minimum, maximum);
    assert.ok(table);
  });

  test("period numbers from tables of days and from thresholds are correct at the limits of ECMAScript time", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (const name of ["UTC", "Europe/Brussels", "Asia/Tokyo"])
        for (const period of periods)
          for (const minimum of [-8.64e15, 8.64e15 - 40 * dayMs])
            check(random, name, period, minimum, minimum + 40 * dayMs);
      const utc = check(random, "UTC", "day", 8.64e15 - 40 * dayMs, 8.64e15);
      assert.ok(utc.table && utc.thresholds);
      const first = check(random, "Asia/Tokyo", "month", -8.64e15, -8.64e15 + 40 * dayMs);
      assert.ok(first.table && first.thresholds);
    });
  });

  test("periods of hours get a table of days only for a range of at most three hours", () => {
    const zone = readZone("UTC");
    const from = Date.UTC(2024, 0, 1, 5);
    const day = from / dayMs - 5 / 24;
    assert.is(
      periodDayTable(compilePeriodFloor(zone, "hour", from, from + 4e7), day, 1),
      undefined,
    );
    assert.equal(
      [...(periodDayTable(compilePeriodFloor(zone, "hour", from, from + 3_600_000), day, 1) ?? [])],
      [0, 0, 0, 1, 6 * 3_600_000, neverMs],
    );
  });

  test("days in a time zone can change in the middle of a UTC day", () => {
    const floor = compilePeriodFloor(
      readZone("Asia/Kolkata"),
      "day",
      Date.UTC(2024, 0, 1),
      Date.UTC(2024, 0, 3),
    );
    const half = 18.5 * 3_600_000;
    assert.equal(
      [...(periodDayTable(floor, Date.UTC(2024, 0, 1) / dayMs, 3) ?? [])],
      [0, 0, 0, 1, half, neverMs, 2, half, neverMs, 3, neverMs, neverMs],
    );
  });

  test("periods get no thresholds if there are no values or the thresholds would exceed the limit", () => {
    const [minimum, maximum] = [Date.UTC(2024, 0, 1), Date.UTC(2024, 0, 11)];
    const floor = compilePeriodFloor(readZone("UTC"), "day", minimum, maximum);
    assert.is(periodThresholds(floor, minimum, maximum, 10)?.starts.length, 10);
    assert.is(periodThresholds(floor, minimum, maximum, 9), undefined);
    const later = periodThresholds(floor, minimum + 2 * dayMs + 5, minimum + 3 * dayMs, 9);
    assert.is(later?.first, 3);
    assert.equal([...(later?.starts ?? [])], [minimum + 3 * dayMs]);
    const none = periodThresholds(floor, NaN, NaN, 9);
    assert.is(none?.first, 0);
    assert.is(none?.starts.length, 0);
  });

  test("periods that cannot be numbered get neither a table of days nor thresholds", () => {
    const zone = readZone("Europe/Brussels");
    const floor = compilePeriodFloor(zone, "year", 0, Date.UTC(2600, 0, 1));
    assert.is(floor.kind, "zone");
    assert.is(periodDayTable(floor, 0, 5), undefined);
    assert.is(periodThresholds(floor, 0, dayMs, 5), undefined);
  });
});
