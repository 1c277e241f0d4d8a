import * as assert from "uvu/assert";
import { timeTicks } from "../../../../../core/web/charts/axes/timeTicks.ts";
import { suite } from "../../../../support/suite.ts";

const dayMs = 86_400_000;
const at = (text: string) => Date.parse(`${text}T00:00:00.000Z`);

suite("core/web/charts/axes/timeTicks", (test) => {
  test("weekly ticks on a time axis are Mondays", () => {
    for (const [from, to] of [
      ["2001-01-01", "2001-06-25"],
      ["2001-01-03", "2001-03-01"],
      ["2000-02-28", "2000-04-10"],
    ] as const) {
      const ticks = timeTicks(at(from), at(to), 26, { level: 4, localeId: "en" });
      assert.ok(ticks.length > 3);
      for (const [index, { wallMs }] of ticks.entries()) {
        assert.is(new Date(wallMs).getUTCDay(), 1);
        assert.ok(wallMs >= at(from) && wallMs <= at(to));
        const before = ticks[index - 1];
        if (before) assert.is((wallMs - before.wallMs) % (7 * dayMs), 0);
      }
    }
    const [first] = timeTicks(at("2001-01-01"), at("2001-06-25"), 26, { level: 4, localeId: "en" });
    assert.equal([first?.wallMs, first?.period], [at("2001-01-01"), "1"]);
  });

  test("monthly ticks are the first days of months, and daily ticks are midnights", () => {
    const months = timeTicks(at("2001-01-01"), at("2001-06-01"), 6, { level: 3, localeId: "en" });
    for (const { wallMs } of months) assert.is(new Date(wallMs).getUTCDate(), 1);
    const days = timeTicks(at("2001-01-01"), at("2001-01-09"), 9, { level: 5, localeId: "en" });
    assert.is(days.length, 9);
    assert.is(days[0]?.wallMs, at("2001-01-01"));
  });
});
