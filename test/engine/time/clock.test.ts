import * as assert from "uvu/assert";
import { createClock } from "../../../engine/time/clock.ts";
import { readZone } from "../../../engine/time/zone.ts";
import { suite } from "../../support/suite.ts";
import { createRandom, withSeed } from "../../support/random.ts";

const dayMs = 86_400_000;
const zones = [
  "UTC",
  "Europe/Brussels",
  "America/New_York",
  "America/Sao_Paulo",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Apia",
];

suite("engine/time/clock", (test) => {
  test("local times equal those of the runtime's calendar from 1880 to 2700", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (const name of zones) {
        const zone = readZone(name);
        const { localTime, instantOf } = createClock(zone);
        for (let round = 0; round < 1500; round++) {
          const near = zone.transitions.length > 0 && random.chance(0.7);
          const instant = near
            ? random.pick([...zone.transitions].slice(-40)) + random.below(4 * dayMs) - 2 * dayMs
            : Date.UTC(1880 + random.below(820), random.below(12), 1) + random.below(dayMs);
          const moment = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(name);
          const local = instant + moment.offsetNanoseconds / 1e6;
          const label = `${name} ${instant}`;
          assert.is(localTime(instant), local, label);
          const shown = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO("UTC");
          const meant = shown.toPlainDateTime().toZonedDateTime(name).epochMilliseconds;
          assert.is(instantOf(instant), meant, `local ${label}`);
        }
      }
    });
  });

  test("local times are correct at the limits of ECMAScript time", () => {
    for (const name of ["UTC", "Asia/Kathmandu"]) {
      const { localTime, instantOf } = createClock(readZone(name));
      for (const instant of [-8.64e15, 8.64e15])
        assert.is(instantOf(localTime(instant)), instant, name);
    }
  });
});
