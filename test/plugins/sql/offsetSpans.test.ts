import * as assert from "uvu/assert";
import { offsetSpans } from "../../../plugins/sql/index.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

const zones = [
  "Europe/Brussels",
  "America/New_York",
  "Australia/Lord_Howe",
  "America/St_Johns",
  "Asia/Kolkata",
  "Pacific/Apia",
  "Africa/Casablanca",
];
const from = Date.UTC(1950, 0, 1);
const to = Date.UTC(2040, 0, 1);

suite("plugins/sql/offsetSpans", (test) => {
  test("an offset span contains the zone's offset at the instants of the span", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 2000; round++) {
        const zone = random.pick(zones);
        const first = from + random.below(2 ** 31) * 1000;
        const last = Math.min(first + random.below(2 ** 30) * 100, to);
        const spans = offsetSpans(zone, Math.min(first, last), last) ?? [];
        const at = first + random.below(Math.max(1, last - first));
        const span = spans.findLast(({ fromMs }) => fromMs === undefined || fromMs <= at);
        const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
        assert.is(span?.offsetMs, zoned.offsetNanoseconds / 1e6, `${zone} ${at}`);
      }
    });
  });

  test("a range with more than 200 clock changes gets no offset spans", () => {
    assert.is(offsetSpans("Europe/Brussels", 0, Date.UTC(2200, 0, 1)), undefined);
    assert.equal(offsetSpans("Asia/Kolkata", Date.UTC(2000, 0, 1), 8.64e15), [
      { offsetMs: 19_800_000 },
    ]);
    assert.equal(offsetSpans("UTC", -8.64e15, 8.64e15), [{ offsetMs: 0 }]);
  });
});
