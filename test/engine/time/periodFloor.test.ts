import * as assert from "uvu/assert";
import {
  compilePeriodFloor,
  floorPeriods,
  numberPeriods,
  periodCount,
  periodStart,
} from "../../../engine/time/periodFloor.ts";
import { floorInstant } from "../../../engine/time/floorInstant.ts";
import { readZone } from "../../../engine/time/zone.ts";
import type { Period } from "../../../engine/index.ts";
import { suite } from "../../support/suite.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { truncate } from "../referenceEngine.ts";
import { periods } from "../../../engine/types.ts";

const at = (text: string) => Date.parse(text);
const shown = (instant: number) => new Date(instant).toISOString();
const floored = (zone: string, period: Period, text: string) =>
  shown(floorInstant(readZone(zone), period, at(text)));

suite("engine/time/periodFloor", (test) => {
  test.deep("truncation agrees with the runtime's calendar from 1750 to 2700", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (const name of [
        "UTC",
        "Europe/Brussels",
        "America/New_York",
        "Asia/Kathmandu",
        "Australia/Sydney",
        "Africa/Casablanca",
      ]) {
        const zone = readZone(name);
        for (let round = 0; round < 400; round++) {
          const from = random.below(3) === 0 ? Date.UTC(1750, 0, 1) : Date.UTC(1972, 0, 1);
          const instant =
            from + Math.floor((random.below(2 ** 30) / 2 ** 30) * 730 * 365.25 * 86_400_000);
          const period = random.pick(["year", "quarter", "month", "week", "day"] as const);
          assert.is(
            floorInstant(zone, period, instant),
            truncate(instant, period, name),
            `${name} ${period} ${shown(instant)}`,
          );
        }
      }
    });
  });

  test("weeks start on Monday, even before 1970", () => {
    assert.is(floored("UTC", "week", "1969-12-31T10:00:00Z"), "1969-12-29T00:00:00.000Z");
    assert.is(floored("UTC", "week", "2024-03-04T00:00:00Z"), "2024-03-04T00:00:00.000Z");
    assert.is(floored("UTC", "week", "2024-03-03T23:59:59Z"), "2024-02-26T00:00:00.000Z");
  });

  test("an hour that the clock repeats in autumn counts as two hours", () => {
    assert.is(
      floored("Europe/Brussels", "hour", "2024-10-27T00:30:00Z"),
      "2024-10-27T00:00:00.000Z",
    );
    assert.is(
      floored("Europe/Brussels", "hour", "2024-10-27T01:30:00Z"),
      "2024-10-27T01:00:00.000Z",
    );
    assert.is(
      floored("Europe/Brussels", "day", "2024-10-27T22:30:00Z"),
      "2024-10-26T22:00:00.000Z",
    );
  });

  test("a day without midnight starts at its first existing hour", () => {
    assert.is(
      floored("America/Sao_Paulo", "day", "2018-11-04T12:00:00Z"),
      "2018-11-04T03:00:00.000Z",
    );
    assert.is(floored("Pacific/Apia", "week", "2011-12-31T12:00:00Z"), "2011-12-26T10:00:00.000Z");
  });

  test("an hour that a clock change splits starts again at the clock change", () => {
    assert.is(
      floored("Australia/Lord_Howe", "hour", "2024-04-06T15:10:00Z"),
      "2024-04-06T15:00:00.000Z",
    );
    assert.is(
      floored("Australia/Lord_Howe", "hour", "2024-04-06T14:50:00Z"),
      "2024-04-06T14:00:00.000Z",
    );
    for (const text of ["2023-04-01T15:00:00Z", "2023-04-01T15:10:00Z", "2023-04-01T14:50:00Z"])
      assert.is(
        shown(truncate(at(text), "hour", "Australia/Lord_Howe")),
        floored("Australia/Lord_Howe", "hour", text),
      );
  });

  test("a period that would start before the first ECMAScript instant starts at that instant", () => {
    assert.is(floorInstant(readZone("UTC"), "year", -8.64e15), -8.64e15);
    assert.is(
      new Date(floorInstant(readZone("Asia/Tokyo"), "month", 8.64e15)).getTime() <= 8.64e15,
      true,
    );
  });

  test("the grid, table and zone forms of truncation agree for every period and zone", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (const name of [
        "UTC",
        "Europe/Brussels",
        "Asia/Kathmandu",
        "America/Sao_Paulo",
        "Australia/Lord_Howe",
        "Pacific/Apia",
        "Europe/Amsterdam",
      ])
        for (const period of periods) {
          const zone = readZone(name);
          const start = Date.UTC(1880 + random.below(150), random.below(12), 1);
          const spanMs = random.pick([3_600_000, 86_400_000 * 40, 86_400_000 * 4000]);
          const instants = Float64Array.from(
            { length: 200 },
            () => start + Math.floor((random.below(2 ** 30) / 2 ** 30) * spanMs),
          );
          instants[7] = NaN;
          const real = instants.filter((instant) => !Number.isNaN(instant));
          const floor = compilePeriodFloor(zone, period, Math.min(...real), Math.max(...real));
          const expected = instants.map((instant) =>
            Number.isNaN(instant) ? NaN : floorInstant(zone, period, instant),
          );
          const starts = new Float64Array(200);
          floorPeriods(floor, instants, 200, starts);
          assert.equal(
            [...starts],
            [...expected],
            `${name} ${period} ${floor.kind} ${shown(start)}`,
          );
          if ((periodCount(floor) ?? Infinity) > 100_000) continue;
          const numbers = new Int32Array(200);
          numberPeriods(floor, instants, 200, numbers);
          assert.equal(
            [...numbers].map((number) => periodStart(floor, number)),
            [...expected],
            `${name} ${period} ${floor.kind}`,
          );
        }
    });
  });
});
