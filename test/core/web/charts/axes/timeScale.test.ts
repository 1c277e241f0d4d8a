import * as assert from "uvu/assert";
import { readColumns, wallClock, type ChartCell } from "../../../../../core/web/charts/index.ts";
import { timeScale } from "../../../../../core/web/charts/axes/timeScale.ts";
import { createRandom, withSeed } from "../../../../support/random.ts";
import { rounds } from "../../../../support/layer.ts";
import { suite } from "../../../../support/suite.ts";
import { between } from "../between.ts";

function columnAt(level: number | undefined, timezoneId: string) {
  const field = {
    slot: "x-axis",
    type: "datetime" as const,
    ...(level !== undefined && { level }),
  };
  return readColumns({ fields: [field], localeId: "en", timezoneId })[0]!;
}

const scaleOf = (level: number | undefined, cells: readonly ChartCell[], timezoneId = "UTC") =>
  timeScale(columnAt(level, timezoneId), cells)!;

/** The instants at which hours start in a zone, from one instant on. */
const hoursFrom = (from: string, count: number) =>
  Array.from({ length: count }, (_, hour) =>
    new Date(Date.parse(from) + hour * 3_600_000).toISOString(),
  );

suite("core/web/charts/axes/timeScale", (test) => {
  test("missing periods of every level keep their place", () => {
    for (const [level, cells, positions] of [
      [1, ["1999-01-01T00:00:00Z", "2001-01-01T00:00:00Z"], [0, 2]],
      [2, ["1999-10-01T00:00:00Z", "2000-04-01T00:00:00Z"], [0, 2]],
      [3, ["1999-12-01T00:00:00Z", "2000-03-01T00:00:00Z"], [0, 3]],
      [4, ["2000-12-31T00:00:00Z", "2001-01-21T00:00:00Z"], [0, 3]],
      [5, ["2000-02-28T00:00:00Z", "2000-03-01T00:00:00Z"], [0, 2]],
      [6, ["2000-02-28T23:00:00Z", "2000-02-29T02:00:00Z"], [0, 3]],
      [7, ["2000-02-28T23:59:00Z", "2000-02-29T00:01:00Z"], [0, 2]],
      [8, ["2000-02-28T23:59:59Z", "2000-02-29T00:00:01Z"], [0, 2]],
    ] as const) {
      const scale = scaleOf(level, cells);
      assert.equal(scale.positions, positions, `level ${level}`);
      assert.is(scale.count, positions[1] + 1);
    }
  });

  test("the order of cells does not matter, and cells that are not times have no position", () => {
    const { positions, count } = scaleOf(5, [
      "2000-01-03T00:00:00Z",
      null,
      "2000-01-01T00:00:00Z",
      "x",
    ]);
    assert.equal(positions, [2, null, 0, null]);
    assert.is(count, 3);
    assert.is(timeScale(columnAt(5, "UTC"), [null, "x"]), undefined);
  });

  test("days of 23 and 25 hours are one day, in every zone", () => {
    for (const zone of [
      "Europe/Berlin",
      "America/New_York",
      "Australia/Lord_Howe",
      "America/Sao_Paulo",
    ]) {
      // Each local midnight of a year, found by looking for the change of the wall clock's date.
      const cells: string[] = [];
      let before = "";
      for (const hour of hoursFrom("2018-01-02T00:00:00.000Z", 24 * 380)) {
        for (const minutes of [0, 30]) {
          const instantMs = Date.parse(hour) + minutes * 60_000;
          const date = new Date(wallClock(instantMs, zone)).toISOString().slice(0, 10);
          if (before !== "" && date !== before) cells.push(new Date(instantMs).toISOString());
          before = date;
        }
      }
      const { positions } = scaleOf(5, cells, zone);
      assert.equal(positions, [...cells.keys()], zone);
    }
  });

  test("the hour that occurs twice has two places, and the omitted hour has none", () => {
    for (const from of ["2026-10-24T20:00:00.000Z", "2026-03-28T20:00:00.000Z"]) {
      const cells = hoursFrom(from, 12);
      const scale = scaleOf(6, cells, "Europe/Berlin");
      assert.equal(scale.positions, [...cells.keys()]);
      // The wall-clock time of each hour but the repeated one leads back to its place.
      const places = cells.map((cell) => scale.at(wallClock(Date.parse(cell), "Europe/Berlin")));
      assert.ok(places.filter((place, index) => place === index).length >= cells.length - 1);
    }
  });

  test("the start of a period is at its position", () => {
    const random = createRandom();
    return withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 60, deep: 200 }); round++) {
        const level = random.pick([1, 2, 3, 4, 5]);
        const start = Date.UTC(between(random, 1, 2999), level > 2 ? between(random, 0, 11) : 0, 1);
        const scale = scaleOf(level, [
          new Date(start).toISOString(),
          new Date(start + 400 * 86_400_000).toISOString(),
        ]);
        const position = between(random, 0, scale.count - 1);
        const startMs = scale.startOf(position);
        assert.ok(startMs !== null);
        assert.is(
          scale.at(startMs),
          position,
          `level ${level} from ${new Date(start).toISOString()}`,
        );
      }
    });
  });

  test("only the last period can be unfinished, until the moment at which it ends", () => {
    const scale = scaleOf(3, ["2026-09-01T00:00:00Z", "2026-11-01T00:00:00Z"]);
    const isInLast = (text: string) =>
      scale.isInLast({ instantMs: Date.parse(text), wallMs: Date.parse(text) });
    assert.equal(
      [
        "2026-09-15T00:00Z",
        "2026-10-31T23:59Z",
        "2026-11-01T00:00Z",
        "2026-11-30T23:59Z",
        "2026-12-01T00:00Z",
      ].map(isInLast),
      [false, false, true, true, false],
    );
  });

  test("times without a level are placed by elapsed time", () => {
    const { positions, hasPeriods } = scaleOf(undefined, [
      "2026-01-01T00:00:00Z",
      "2026-01-01T00:10:00Z",
      "2026-01-01T01:00:00Z",
    ]);
    assert.equal(positions, [0, 1, 6]);
    assert.is(hasPeriods, false);
  });
});
