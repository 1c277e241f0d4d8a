import * as assert from "uvu/assert";
import {
  nextDue,
  recurrenceUnits,
  type Recurrence,
} from "../../../../core/resources/automation/nextDue.ts";
import { slotsBetween } from "../../../../core/resources/automation/slotsBetween.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

/**
 * Six time zones with different clocks. Among them, Lord Howe changes its clock by half an hour, Apia skipped a day,
 * and Kathmandu never changes its clock.
 */
const zones = [
  "Europe/Brussels",
  "America/New_York",
  "Australia/Lord_Howe",
  "America/Santiago",
  "Pacific/Apia",
  "Asia/Kathmandu",
];

const dayMs = 86_400_000;
const instant = (text: string) => Date.parse(text);
const iso = (ms: number) => new Date(ms).toISOString();

function slots(recurrence: Recurrence, fromMs: number, untilMs: number): number[] {
  const found: number[] = [];
  for (let at = nextDue(recurrence, fromMs); at < untilMs; at = nextDue(recurrence, at))
    found.push(at);
  return found;
}

/** Reads the clock of a zone from `Intl` every quarter of an hour, and stores spans with the same offset. */
class PlainClock {
  readonly #spans: { readonly fromMs: number; readonly offsetMs: number }[] = [];

  constructor(zone: string, fromMs: number, untilMs: number) {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    const offsetAt = (ms: number) => {
      const part = Object.fromEntries(
        format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]),
      );
      const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = part;
      return Date.UTC(year, month - 1, day, hour, minute, second) - ms;
    };
    for (let ms = fromMs; ms < untilMs; ms += dayMs) {
      if (offsetAt(ms) === this.#spans.at(-1)?.offsetMs) continue;
      let at = this.#spans.length === 0 ? ms : ms - dayMs;
      while (this.#spans.length > 0 && offsetAt(at) === this.#spans.at(-1)?.offsetMs)
        at += 15 * 60_000;
      this.#spans.push({ fromMs: at, offsetMs: offsetAt(at) });
    }
  }

  /**
   * Returns the first instant at which the clock shows a time, or the next later instant if the clock skips the time.
   */
  firstAt(wallMs: number): number {
    const reached = this.#spans.map(({ fromMs, offsetMs }, index) => {
      const at = Math.max(fromMs, wallMs - offsetMs);
      return at < (this.#spans[index + 1]?.fromMs ?? Infinity) ? at : Infinity;
    });
    return Math.min(...reached);
  }

  wallOf(ms: number): number {
    const span = this.#spans.findLast(({ fromMs }) => fromMs <= ms);
    if (!span) throw new Error("the instant is before the clock");
    return ms + span.offsetMs;
  }
}

/** Returns all slots of a recurrence from a given slot on, computed one by one without shortcuts. */
function plainSlots(
  { anchorMs, unit, quantity }: Recurrence,
  clock: PlainClock,
  untilMs: number,
  first = 0,
): number[] {
  const found = new Set<number>();
  const wall = new Date(clock.wallOf(anchorMs));
  for (let slot = first; ; slot++) {
    const count = slot * quantity;
    let at: number;
    if (unit === "minute" || unit === "hour")
      at = anchorMs + count * (unit === "hour" ? 3_600_000 : 60_000);
    else if (unit === "day" || unit === "week")
      at = clock.firstAt(wall.getTime() + count * (unit === "week" ? 7 : 1) * dayMs);
    else {
      const months = count * { month: 1, quarter: 3, year: 12 }[unit];
      const [year, month] = [wall.getUTCFullYear(), wall.getUTCMonth() + months];
      const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
      const date = Date.UTC(year, month, Math.min(wall.getUTCDate(), lastDay));
      at = clock.firstAt(date + (wall.getTime() % dayMs));
    }
    if (at >= untilMs) return [...found].sort((one, other) => one - other);
    found.add(at);
  }
}

suite("core/resources/automation/nextDue", (test) => {
  test("daily recurrences keep their local time across clock changes, and hourly recurrences their elapsed time", () => {
    const zone = "Europe/Brussels";
    const anchorMs = instant("2026-03-28T08:00:00Z");
    const of = (unit: Recurrence["unit"]) =>
      slots({ anchorMs, zone, unit, quantity: 1 }, anchorMs, anchorMs + 2.2 * dayMs).map(iso);
    assert.equal(of("day"), ["2026-03-29T07:00:00.000Z", "2026-03-30T07:00:00.000Z"]);
    assert.is(of("hour").length, 52);
  });

  test("a recurrence at a skipped local time is due when the gap ends, and at a repeated time only once", () => {
    const zone = "Europe/Brussels";
    const daily = (anchor: string, days: number) => {
      const anchorMs = instant(anchor);
      const recurrence = { anchorMs, zone, unit: "day", quantity: 1 } as const;
      return slots(recurrence, anchorMs, anchorMs + (days + 0.5) * dayMs).map(iso);
    };
    assert.equal(daily("2026-03-28T01:30:00Z", 2), [
      "2026-03-29T01:00:00.000Z",
      "2026-03-30T00:30:00.000Z",
    ]);
    assert.equal(daily("2026-10-24T00:30:00Z", 2), [
      "2026-10-25T00:30:00.000Z",
      "2026-10-26T01:30:00.000Z",
    ]);
  });

  test("a short month moves only its own monthly slot, because slots are counted from the anchor", () => {
    const anchorMs = instant("2027-01-31T12:00:00Z");
    const monthly = { anchorMs, zone: "UTC", unit: "month", quantity: 1 } as const;
    assert.equal(slots(monthly, anchorMs, instant("2027-06-01T00:00:00Z")).map(iso), [
      "2027-02-28T12:00:00.000Z",
      "2027-03-31T12:00:00.000Z",
      "2027-04-30T12:00:00.000Z",
      "2027-05-31T12:00:00.000Z",
    ]);
    const leap = instant("2024-02-29T00:00:00Z");
    const yearly = { anchorMs: leap, zone: "UTC", unit: "year", quantity: 1 } as const;
    assert.is(iso(nextDue(yearly, leap)), "2025-02-28T00:00:00.000Z");
    assert.is(iso(nextDue(yearly, instant("2027-03-01T00:00:00Z"))), "2028-02-29T00:00:00.000Z");
  });

  test("a recurrence on a day that the time zone skips is due once, at the start of the next day", () => {
    const anchorMs = instant("2011-12-28T19:00:00Z");
    const daily = { anchorMs, zone: "Pacific/Apia", unit: "day", quantity: 1 } as const;
    assert.equal(slots(daily, anchorMs, instant("2012-01-01T00:00:00Z")).map(iso), [
      "2011-12-29T19:00:00.000Z",
      "2011-12-30T10:00:00.000Z",
      "2011-12-30T19:00:00.000Z",
      "2011-12-31T19:00:00.000Z",
    ]);
  });

  test("a recurrence is first due at its anchor", () => {
    const anchorMs = instant("2026-05-01T00:00:00Z");
    for (const unit of recurrenceUnits)
      assert.is(nextDue({ anchorMs, zone: "UTC", unit, quantity: 3 }, anchorMs - 1), anchorMs);
  });

  test("two years of slots in six time zones match a naive calculation, without duplicates", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (const zone of zones) {
        const fromMs = instant(zone === "Pacific/Apia" ? "2011-01-01T00:00Z" : "2026-01-01T00:00Z");
        const untilMs = fromMs + 2 * 365 * dayMs;
        const clock = new PlainClock(zone, fromMs - 40 * dayMs, untilMs + 40 * dayMs);
        for (const unit of recurrenceUnits)
          for (let round = 0; round < rounds({ quick: 2, deep: 40 }); round++) {
            const recurrence: Recurrence = {
              zone,
              unit,
              quantity: unit === "minute" ? 7 + random.below(5000) : 1 + random.below(5),
              anchorMs: fromMs + random.below(30 * 1440) * 60_000,
            };
            const expected = plainSlots(recurrence, clock, untilMs);
            const found = slots(recurrence, fromMs - 1, untilMs);
            assert.equal(found.map(iso), expected.map(iso), JSON.stringify(recurrence));
            const at = fromMs + random.below(untilMs - fromMs);
            const next = expected.find((each) => each > at);
            if (next !== undefined) assert.is(nextDue(recurrence, at), next);
          }
      }
    });
  });

  test("the slots in a time range match a naive calculation up to a maximum number, even before the anchor", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (const zone of zones) {
        const fromMs = instant(zone === "Pacific/Apia" ? "2011-01-01T00:00Z" : "2026-01-01T00:00Z");
        const untilMs = fromMs + 2 * 365 * dayMs;
        const clock = new PlainClock(zone, fromMs - 800 * dayMs, untilMs + 40 * dayMs);
        for (const unit of recurrenceUnits)
          for (let round = 0; round < rounds({ quick: 2, deep: 40 }); round++) {
            const quantity = unit === "minute" ? 7 + random.below(5000) : 1 + random.below(5);
            const anchorMs = fromMs + random.below(2 * 365 * 1440) * 60_000;
            const recurrence: Recurrence = { zone, unit, quantity, anchorMs };
            const start = fromMs + random.below(365 * dayMs);
            const end = start + random.below(untilMs - start);
            const lengthMs = { minute: 60_000, hour: 3_600_000, day: dayMs, week: 7 * dayMs };
            const monthMs = { month: 28 * dayMs, quarter: 84 * dayMs, year: 336 * dayMs };
            const periodMs = quantity * { ...lengthMs, ...monthMs }[unit];
            const first = Math.min(0, Math.floor((start - anchorMs) / periodMs) - 1);
            const plain = plainSlots(recurrence, clock, end + 1, first).filter((at) => at >= start);
            const found = slotsBetween(recurrence, start, end, Infinity);
            assert.equal(found.map(iso), plain.map(iso), JSON.stringify(recurrence));
            const count = random.below(plain.length + 1);
            assert.equal(slotsBetween(recurrence, start, end, count), plain.slice(0, count));
          }
      }
    });
  });
});
