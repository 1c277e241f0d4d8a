import * as assert from "uvu/assert";
import { periodDayTable } from "../../../engine/time/periodDayTable.ts";
import { compilePeriodFloor } from "../../../engine/time/periodFloor.ts";
import { recentDayTable, recentPeriodFloor } from "../../../engine/time/recentPeriods.ts";
import { readZone } from "../../../engine/time/zone.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

const dayMs = 86_400_000;
const from = Date.UTC(2023, 0, 1);

suite("engine/time/recentPeriods", (test) => {
  test("cached functions for truncation equal newly compiled functions, whatever was requested in between", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let turn = 0; turn < 600; turn++) {
        const zone = readZone(random.pick(["UTC", "Europe/Berlin", "Asia/Kathmandu"]));
        const period = random.pick(["hour", "day", "week", "month"] as const);
        const minimum = from + random.below(2) * dayMs;
        const maximum = minimum + (1 + random.below(2)) * 40 * dayMs;
        const floor = recentPeriodFloor(zone, period, minimum, maximum);
        const plain = compilePeriodFloor(zone, period, minimum, maximum);
        assert.equal(floor, plain);
        const firstDay = minimum / dayMs - random.below(2);
        const dayCount = 10 + random.below(2);
        assert.equal(
          recentDayTable(floor, firstDay, dayCount),
          periodDayTable(plain, firstDay, dayCount),
        );
      }
    });
  });

  test("the sixteen truncation functions used last are cached", () => {
    const zone = readZone("America/New_York");
    const recent = (turn: number) =>
      recentPeriodFloor(zone, "month", from, from + (100 + turn) * dayMs);
    const first = recent(0);
    const table = recentDayTable(first, from / dayMs, 100);
    for (let turn = 1; turn < 16; turn++) recent(turn);
    assert.is(recent(0), first);
    assert.is(recentDayTable(recent(0), from / dayMs, 100), table);
    for (let turn = 1; turn < 17; turn++) recent(turn);
    assert.is.not(recent(0), first);
    assert.equal(recent(0), first);
  });
});
