import * as assert from "uvu/assert";
import { levelOfRange } from "../../../../../core/web/console/questions/levelOfRange.ts";
import { periodMs } from "../../../../../core/web/console/questions/periodMs.ts";
import { suite } from "../../../../support/suite.ts";

suite("core/web/console/questions/levelOfRange", (test) => {
  const from = "2026-01-01T00:00:00.000Z";
  const after = (ms: number) => new Date(Date.parse(from) + ms).toISOString();
  const dayMs = 86_400_000;

  test("a range of instants is divided by the finest level that gives at most 60 periods", () => {
    for (const [rangeMs, level] of [
      [30_000, 8],
      [3_000_000, 7],
      [2 * dayMs, 6],
      [50 * dayMs, 5],
      [400 * dayMs, 3],
      [4_000 * dayMs, 2],
      [20_000 * dayMs, 1],
      [200_000 * dayMs, 1],
    ] as const) {
      assert.is(levelOfRange(from, after(rangeMs), false), level, String(rangeMs));
      if (level > 1) assert.ok(rangeMs / periodMs(level) <= 60);
    }
  });

  test("a range of dates is divided into days or longer periods, and a range without an end into years", () => {
    assert.is(levelOfRange(from, after(dayMs), true), 5);
    assert.is(levelOfRange(null, null, false), 1);
    assert.is(levelOfRange(from, undefined, false), 1);
  });
});
