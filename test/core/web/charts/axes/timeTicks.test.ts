import * as assert from "uvu/assert";
import { timeTicks } from "../../../../../core/web/charts/axes/timeTicks.ts";
import { suite } from "../../../../support/suite.ts";

const dayMs = 86_400_000;
const at = (text: string) => Date.parse(`${text}T00:00:00.000Z`);

suite("core/web/charts/axes/timeTicks", (test) => {
  test("ticks of weeks are whole weeks after the first week of the data, and labelled by day", () => {
    for (const [from, to, count] of [
      ["2001-01-01", "2001-06-25", 26],
      ["2001-01-07", "2001-03-04", 3],
      ["2000-02-28", "2009-04-13", 7],
    ] as const) {
      const ticks = timeTicks(at(from), at(to), count, { level: 4, localeId: "en" });
      assert.ok(ticks.length >= 3 && ticks.length <= count + 1, `${from}: ${ticks.length}`);
      for (const { wallMs, period } of ticks) {
        assert.is((wallMs - at(from)) % (7 * dayMs), 0);
        assert.ok(wallMs >= at(from) && wallMs <= at(to));
        assert.is(period, String(new Date(wallMs).getUTCDate()));
      }
    }
  });

  test("ticks that are weeks apart on an axis of days are Mondays", () => {
    const ticks = timeTicks(at("2001-01-01"), at("2001-03-01"), 8, { level: 5, localeId: "en" });
    assert.ok(ticks.length > 3);
    for (const { wallMs } of ticks) assert.is(new Date(wallMs).getUTCDay(), 1);
  });

  test("monthly ticks are the first days of months, and daily ticks are midnights", () => {
    const months = timeTicks(at("2001-01-01"), at("2001-06-01"), 6, { level: 3, localeId: "en" });
    for (const { wallMs } of months) assert.is(new Date(wallMs).getUTCDate(), 1);
    const days = timeTicks(at("2001-01-01"), at("2001-01-09"), 9, { level: 5, localeId: "en" });
    assert.is(days.length, 9);
    assert.is(days[0]?.wallMs, at("2001-01-01"));
  });

  test("ticks three months apart name months on an axis of months, and quarters on an axis of quarters", () => {
    const named = (level: number) =>
      timeTicks(at("2001-01-01"), at("2002-06-01"), 6, { level, localeId: "en" }).map(
        ({ period }) => period,
      );
    assert.equal(named(3), ["Jan", "Apr", "Jul", "Oct", "Jan", "Apr"]);
    assert.equal(named(2), ["Q1", "Q2", "Q3", "Q4", "Q1", "Q2"]);
  });
});
