import * as assert from "uvu/assert";
import { createWallClock } from "../../../plugins/sql/wallClock.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

const hourMs = 3_600_000;

/** Returns the instant of a reading according to Temporal. */
function instantIn(zone: string, readingMs: number): number {
  return Temporal.PlainDateTime.from(
    new Date(readingMs).toISOString().slice(0, -1),
  ).toZonedDateTime(zone, { disambiguation: "compatible" }).epochMilliseconds;
}

suite("plugins/sql/wallClock", (test) => {
  test("readings around the clock changes of every zone are the instants that Temporal computes", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const zones = random.some(
        Intl.supportedValuesOf("timeZone"),
        rounds({ quick: 0.2, deep: 1 }),
      );
      for (const zone of zones) {
        const clock = createWallClock({ zone });
        let at = Temporal.Instant.from(
          `${1880 + random.below(150)}-01-01T00:00Z`,
        ).toZonedDateTimeISO(zone);
        for (let change = 0; change < 6; change++) {
          const next = at.getTimeZoneTransition("next");
          if (!next) break;
          at = next;
          for (let round = 0; round < 8; round++) {
            const reading =
              next.epochMilliseconds +
              (random.below(57) - 28) * hourMs +
              random.pick([0, 1, -1, 1_800_000]);
            assert.is(clock.instantOf(reading), instantIn(zone, reading), `${zone} ${reading}`);
          }
        }
      }
    });
  });

  test("the readings of an instant are all readings that have this instant", async () => {
    const clock = createWallClock({ zone: "Europe/Brussels" });
    const reading = (text: string) => Date.parse(`${text}Z`);
    // The clock skips 02:30, which is read as 03:30.
    assert.equal([...clock.readingsOf(Date.parse("2024-03-31T01:30Z"))].sort(), [
      reading("2024-03-31T02:30"),
      reading("2024-03-31T03:30"),
    ]);
    // The clock shows 02:30 twice, and the first time counts.
    assert.equal(clock.readingsOf(Date.parse("2024-10-27T00:30Z")), [reading("2024-10-27T02:30")]);
    assert.equal(clock.readingsOf(Date.parse("2024-10-27T01:30Z")), []);
  });

  test("instants that a server stored by its own clock are read again on the clock of the account", () => {
    const clock = createWallClock({ zone: "America/New_York", serverZone: "Asia/Kolkata" });
    // The server's clock shows 12:00, which it read as 06:30 in UTC. In New York, 12:00 is 16:00 in UTC.
    assert.is(clock.instantOf(Date.parse("2024-07-01T06:30Z")), Date.parse("2024-07-01T16:00Z"));
  });
});
