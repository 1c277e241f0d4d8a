import * as assert from "uvu/assert";
import {
  isQuiet,
  type QuietHours,
  quietHoursProblem,
  quietUntil,
} from "../../../../core/resources/automation/quietHours.ts";
import { atTimeOfDay } from "../../../../core/resources/automation/timeOfDay.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

/** All times of the test are at quarters of an hour. */
const quarterMs = 15 * 60_000;
const dayMs = 86_400_000;

/** Returns the local date and time of an instant, as text that sorts by time. */
function clockOf(zone: string): (atMs: number) => string {
  const form = new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "short",
  });
  return (atMs) => form.format(atMs);
}

/**
 * Reads the clock every quarter of an hour: a period begins when the clock first shows its start or a later time of
 * that date, and ends after the clock last showed a time before its end.
 */
function quietQuarters({ timezone_id: zone, periods }: QuietHours, fromMs: number, count: number) {
  const clock = clockOf(zone);
  const shown = Array.from({ length: count }, (_, index) => clock(fromMs + index * quarterMs));
  const quiet = new Set<number>();
  for (const date of new Set(shown.map((each) => each.slice(0, 10))))
    for (const { weekdays, from, to } of periods) {
      const day = new Date(`${date}T00:00Z`);
      if (weekdays && !weekdays.includes(day.getUTCDay() || 7)) continue;
      const end = to > from ? date : new Date(day.getTime() + dayMs).toISOString().slice(0, 10);
      const first = shown.findIndex((each) => each >= `${date} ${from}`);
      const last = shown.findLastIndex((each) => each < `${end} ${to}`);
      if (first >= 0) for (let quarter = first; quarter <= last; quarter++) quiet.add(quarter);
    }
  return quiet;
}

const night: QuietHours = {
  timezone_id: "Europe/Berlin",
  periods: [{ from: "22:00", to: "07:00" }],
};
const at = (text: string) => Date.parse(text);

suite("core/resources/automation/quietHours", (test) => {
  test("a night is quiet until its end on the next day, in the zone of the hours", () => {
    assert.is(isQuiet(night, at("2026-07-01T19:59:00Z")), false);
    assert.is(isQuiet(night, at("2026-07-01T20:00:00Z")), true);
    assert.is(isQuiet(night, at("2026-07-02T04:59:59.999Z")), true);
    assert.is(isQuiet(night, at("2026-07-02T05:00:00Z")), false);
    assert.is(quietUntil(night, at("2026-07-01T23:00:00Z")), at("2026-07-02T05:00:00Z"));
    assert.is(quietUntil(night, at("2026-07-02T12:00:00Z")), at("2026-07-02T12:00:00Z"));
  });

  test("the night in which clocks change ends at the same local time", () => {
    assert.is(quietUntil(night, at("2026-10-24T22:00:00Z")), at("2026-10-25T06:00:00Z"));
    assert.is(quietUntil(night, at("2026-03-28T23:00:00Z")), at("2026-03-29T05:00:00Z"));
  });

  test("weekdays are those on which a period begins", () => {
    const friday = { ...night, periods: [{ weekdays: [5], from: "22:00", to: "07:00" }] };
    assert.is(isQuiet(friday, at("2026-07-03T22:00:00Z")), true);
    assert.is(isQuiet(friday, at("2026-07-04T04:00:00Z")), true);
    assert.is(isQuiet(friday, at("2026-07-04T22:00:00Z")), false);
  });

  test("hours that cover the whole week have no end", () => {
    const always = { ...night, periods: [{ from: "00:00", to: "00:00" }] };
    assert.is(isQuiet(always, at("2026-07-01T12:00:00Z")), true);
    assert.is(quietUntil(always, at("2026-07-01T12:00:00Z")), undefined);
  });

  test("quiet hours are those of a clock that is read every quarter of an hour, across clock changes", () => {
    const random = createRandom();
    const zones = [
      "Europe/Berlin",
      "America/New_York",
      "Australia/Lord_Howe",
      "America/Santiago",
      "UTC",
    ];
    const changes = [
      "2026-03-29T01:00Z",
      "2026-10-25T01:00Z",
      "2026-03-08T07:00Z",
      "2026-11-01T06:00Z",
      "2026-04-05T03:00Z",
      "2026-09-06T04:00Z",
    ];
    const time = () =>
      `${String(random.below(24)).padStart(2, "0")}:${random.pick(["00", "15", "30", "45"])}`;
    return withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 6, deep: 120 }); round++) {
        const periods = Array.from({ length: 1 + random.below(2) }, () => ({
          from: time(),
          to: time(),
          ...(random.chance(0.5) && {
            weekdays: [1, 2, 3, 4, 5, 6, 7].filter(() => random.chance(0.6)),
          }),
        })).map(({ weekdays, ...each }) => (weekdays?.length ? { ...each, weekdays } : each));
        const hours = { timezone_id: random.pick(zones), periods };
        const fromMs = at(random.pick(changes)) - 3 * dayMs;
        const quarters = dayMs / quarterMs;
        const quiet = quietQuarters(hours, fromMs, 6 * quarters);
        // The first and the last days are cut off, so their periods are not complete.
        for (let quarter = 2 * quarters; quarter < 4 * quarters; quarter++) {
          const atMs = fromMs + quarter * quarterMs;
          const said = JSON.stringify({ hours, at: new Date(atMs) });
          assert.is(isQuiet(hours, atMs), quiet.has(quarter), said);
          if (quarter % 8 > 0) continue;
          const until = quietUntil(hours, atMs);
          if (!quiet.has(quarter)) assert.is(until, atMs, said);
          else if (until !== undefined) assert.is(isQuiet(hours, until), false, said);
        }
      }
    });
  });

  test("a time of day keeps the local date, and moves out of the gap of a clock change", () => {
    const moved = (from: string, time: string) =>
      atTimeOfDay(new Date(from), time, "Europe/Berlin").toISOString();
    assert.is(moved("2026-07-01T23:30:00Z", "07:30"), "2026-07-02T05:30:00.000Z");
    assert.is(moved("2026-03-29T12:00:00Z", "02:30"), "2026-03-29T01:00:00.000Z");
  });

  test("quiet hours with an unknown zone, time, weekday or member are refused", () => {
    assert.is(quietHoursProblem(night), undefined);
    const friday = { ...night, periods: [{ weekdays: [5], from: "22:00", to: "07:00" }] };
    assert.is(quietHoursProblem(friday), undefined);
    for (const wrong of [
      { ...night, timezone_id: "Mars/Olympus" },
      { ...night, periods: [] },
      { ...night, periods: [{ from: "24:00", to: "07:00" }] },
      { ...night, periods: [{ from: "22:00", to: "07:00", weekdays: [0] }] },
      { ...night, periods: [{ from: "22:00", to: "07:00", weekdays: [] }] },
      { ...night, periods: [{ from: "22:00", to: "07:00", until: "x" }] },
      { ...night, zone: "UTC" },
      "22:00-07:00",
    ])
      assert.type(quietHoursProblem(wrong), "string", JSON.stringify(wrong));
  });
});
