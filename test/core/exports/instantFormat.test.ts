import * as assert from "uvu/assert";
import { instantFormat } from "../../../core/exports/instantFormat.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";

suite("core/exports/instantFormat", (test) => {
  const written = (zone: string, ...instants: readonly string[]) =>
    instants.map((instant) => instantFormat(zone).write(Date.parse(instant), false));

  test("the hour that a clock shows twice has an offset, and the hours around it have none", () => {
    assert.equal(
      written(
        "Europe/Berlin",
        "2026-10-24T23:59:59Z",
        "2026-10-25T00:30:00Z",
        "2026-10-25T01:30:00Z",
        "2026-10-25T02:00:00Z",
        "2026-03-29T00:59:59Z",
        "2026-03-29T01:00:00Z",
      ),
      [
        "2026-10-25 01:59:59",
        "2026-10-25 02:30:00+02:00",
        "2026-10-25 02:30:00+01:00",
        "2026-10-25 03:00:00",
        "2026-03-29 01:59:59",
        "2026-03-29 03:00:00",
      ],
    );
  });

  test("offsets are right west of Greenwich, for half hours, and for clocks that are set back at midnight", () => {
    assert.equal(written("America/New_York", "2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z"), [
      "2026-11-01 01:30:00-04:00",
      "2026-11-01 01:30:00-05:00",
    ]);
    assert.equal(written("Australia/Lord_Howe", "2026-04-04T14:45:00Z", "2026-04-04T15:15:00Z"), [
      "2026-04-05 01:45:00+11:00",
      "2026-04-05 01:45:00+10:30",
    ]);
    assert.equal(written("America/Havana", "2026-11-01T04:30:00Z", "2026-11-01T05:30:00Z"), [
      "2026-11-01 00:30:00-04:00",
      "2026-11-01 00:30:00-05:00",
    ]);
  });

  test("no two instants of a year have the same text", () => {
    const zones = ["America/St_Johns", "Europe/Berlin", "Africa/Casablanca", "UTC"];
    for (const zone of rounds({ quick: zones.slice(0, 1), deep: zones })) {
      const { write } = instantFormat(zone);
      const texts = new Set<string>();
      const quarters = (366 * 24 * 60) / 15;
      for (let at = 0; at < quarters; at++)
        texts.add(write(Date.UTC(2026, 0, 1) + at * 15 * 60_000, false));
      assert.is(texts.size, quarters, zone);
    }
  });
});
