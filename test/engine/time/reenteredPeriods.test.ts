import * as assert from "uvu/assert";
import type { Period } from "../../../engine/index.ts";
import {
  compilePeriodFloor,
  floorPeriods,
  numberPeriods,
  periodCount,
  periodStart,
} from "../../../engine/time/periodFloor.ts";
import { readZone } from "../../../engine/time/zone.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { truncate } from "../referenceEngine.ts";

const calendarPeriods = ["year", "quarter", "month", "week", "day"] as const;
const shown = (instant: number) => new Date(instant).toISOString();

/**
 * Returns the instants at which a zone's clock returns to the previous day, and the instants of two other transitions.
 */
function chosenTransitions(name: string, random: Random): readonly number[] {
  const { transitions, offsetsMs } = readZone(name);
  const dayOf = (local: number) => Math.floor(local / 86_400_000);
  const backs = [...transitions].filter(
    (at, index) => dayOf(at + offsetsMs[index] - 1) > dayOf(at + offsetsMs[index + 1]),
  );
  const others = transitions.length === 0 ? [] : [0, 1].map(() => random.pick([...transitions]));
  return [...new Set([...backs, ...others])];
}

/** Asserts that every form of a truncation equals the runtime's calendar. */
function agrees(name: string, period: Period, instants: Float64Array): void {
  const [least, most] = [Math.min(...instants), Math.max(...instants)];
  const floor = compilePeriodFloor(readZone(name), period, least, most);
  const starts = new Float64Array(instants.length);
  floorPeriods(floor, instants, instants.length, starts);
  const numbers = new Int32Array(instants.length);
  numberPeriods(floor, instants, instants.length, numbers);
  for (const [index, instant] of instants.entries()) {
    const about = `${name} ${period} ${shown(instant)}`;
    const expected = shown(truncate(instant, period, name));
    assert.is(shown(starts[index]), expected, about);
    if (periodCount(floor) !== undefined)
      assert.is(shown(periodStart(floor, numbers[index])), expected, `${about}, by its number`);
  }
}

suite("engine/time/periodFloor when a clock goes back", (test) => {
  test("a day or month that the clock enters twice is one period", () => {
    const name = "America/St_Johns";
    const instants = Float64Array.from(
      [
        "2009-11-01T02:29:59Z",
        "2009-11-01T02:30:30Z",
        "2009-11-01T02:45:00Z",
        "2009-11-01T03:30:00Z",
      ],
      (text) => Date.parse(text),
    );
    const starts = new Float64Array(instants.length);
    for (const [period, before, after] of [
      ["day", "2009-10-31T02:30:00.000Z", "2009-11-01T02:30:00.000Z"],
      ["month", "2009-10-01T02:30:00.000Z", "2009-11-01T02:30:00.000Z"],
    ] as const) {
      const floor = compilePeriodFloor(readZone(name), period, instants[0], instants[3]);
      floorPeriods(floor, instants, instants.length, starts);
      assert.equal([...starts].map(shown), [before, after, before, after], period);
      agrees(name, period, instants.toReversed());
    }
  });

  test("an instant belongs to the day that the clock shows, even if the data begins after the clock went back", () => {
    const floor = compilePeriodFloor(
      readZone("America/St_Johns"),
      "day",
      Date.parse("2009-11-01T02:45:00Z"),
      Date.parse("2009-11-01T02:45:00Z"),
    );
    const starts = new Float64Array(1);
    floorPeriods(floor, Float64Array.of(Date.parse("2009-11-01T02:45:00Z")), 1, starts);
    assert.is(shown(starts[0]), "2009-10-31T02:30:00.000Z");
  });

  test("truncation agrees with the runtime's calendar whichever instant around a clock change comes first", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const awkward = ["Pacific/Chatham", "Australia/Lord_Howe", "America/St_Johns"];
      for (const name of new Set([
        ...awkward,
        ...Intl.supportedValuesOf("timeZone").filter(
          (_, place) => place % rounds({ quick: 6, deep: 1 }) === 0,
        ),
      ]))
        for (const at of chosenTransitions(name, random)) {
          const offsets = [-3_600_000, -1, 0, 840_000, 1_799_999, 3_540_000, 7_200_000, 90_000_000];
          const from = random.below(offsets.length);
          for (const [index, first] of offsets.entries()) {
            // Every instant begins the data of one day, and one instant begins the data of another period.
            const instants = [first, ...offsets.slice(index).filter(() => random.chance(0.3))];
            const all = Float64Array.from(instants, (offset) => at + offset);
            agrees(name, "day", all);
            if (index === from) agrees(name, random.pick(calendarPeriods), all);
          }
        }
    });
  });

  test("truncation agrees with the runtime's calendar around the clock changes of every zone", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      let count = 0;
      for (const name of Intl.supportedValuesOf("timeZone"))
        for (const at of chosenTransitions(name, random)) {
          count++;
          const offsets = [-1, 0, 59_999, 60_000, 900_000, 3_540_000, 3_600_000, 7_200_000];
          const instants = offsets.map((offset) => at + offset);
          // The instants extend more than a day to either side, and are not in ascending order.
          const far = [-90_000_000, 0, 90_000_000].map(
            (offset) => at + offset + random.below(3_600_000),
          );
          const period = random.pick(calendarPeriods);
          for (const each of new Set<Period>(["day", period]))
            agrees(name, each, Float64Array.from([...instants.toReversed(), ...far, ...instants]));
        }
      assert.ok(count > 500, String(count));
    });
  });
});
