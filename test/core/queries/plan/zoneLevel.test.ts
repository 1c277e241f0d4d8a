import * as assert from "uvu/assert";
import { applyFunction } from "../../../../core/queries/expressions/index.ts";
import { wholeMinutesFromMs, zoneLevel } from "../../../../core/queries/plan/zoneLevel.ts";
import { createRandom } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

suite("core/queries/plan/zoneLevel", (test) => {
  test("datetimes are grouped by UTC hours in a time zone whose offsets are whole hours, and otherwise by UTC minutes", () => {
    for (const [zone, level] of [
      ["Europe/Brussels", "hour"],
      ["America/New_York", "hour"],
      ["Asia/Kolkata", "minute"],
      ["Australia/Lord_Howe", "minute"],
      // The clock of this time zone changed at 00:01.
      ["America/Goose_Bay", "minute"],
    ] as const)
      assert.is(zoneLevel(zone), level, zone);
  });

  test("an instant is in the same period of the time zone as the start of its UTC hour or minute", () => {
    const random = createRandom(5);
    const zones = Intl.supportedValuesOf("timeZone");
    for (let index = 0; index < 4000; index++) {
      const zone = random.pick(zones);
      const changes = Temporal.Instant.fromEpochMilliseconds(wholeMinutesFromMs)
        .add({ hours: random.below(24 * 365 * 60) })
        .toZonedDateTimeISO(zone);
      const change = changes.getTimeZoneTransition("next") ?? changes;
      const at = change.epochMilliseconds + random.below(7_200_000) - 3_600_000;
      const start = at - (at % (zoneLevel(zone) === "hour" ? 3_600_000 : 60_000));
      const level = random.pick(["year", "month", "week", "day", "hour"]);
      const truncated = (instant: number) => applyFunction("dateTrunc", [level, instant, zone]);
      assert.is(truncated(start), truncated(at), `${new Date(at).toISOString()} ${level} ${zone}`);
    }
  });
});
