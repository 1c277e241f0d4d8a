import * as assert from "uvu/assert";
import { readDateRange, type DateRange } from "../../../../../core/web/charts/index.ts";
import { rangeOfTest, testOfRange } from "../../../../../core/web/embed/controls/rangeTest.ts";
import { suite } from "../../../../support/suite.ts";

const days = { isDay: true, timezoneId: "UTC" };
const custom = (from: string, to: string): DateRange => ({
  key: "custom",
  customRange: { from, to },
});

suite("core/web/embed/controls/rangeTest", (test) => {
  test("a relative range stays relative", () => {
    const range = readDateRange({ key: "last_completed", unit: 3, quantity: 2 })!;
    const made = testOfRange(range, days);
    assert.equal(made, { test: "last_completed", value: { unit: 3, quantity: 2 } });
    assert.equal(rangeOfTest(made), range);
  });

  test("a column of days is tested by days, both included", () => {
    const made = testOfRange(custom("2026-03-01", "2026-03-31"), days);
    assert.equal(made, { test: "? between ?", value: ["2026-03-01", "2026-03-31"] });
    assert.equal(rangeOfTest(made), custom("2026-03-01", "2026-03-31"));
  });

  test("a column of instants is tested by the first and the last millisecond of the days in the reader's zone", () => {
    // The clock moves forward on 29 March 2026, so the last day has 23 hours.
    const made = testOfRange(custom("2026-03-28", "2026-03-29"), {
      isDay: false,
      timezoneId: "Europe/Brussels",
    });
    assert.equal(made.value, ["2026-03-27T23:00:00.000Z", "2026-03-29T21:59:59.999Z"]);
  });

  test("a range with an open end is a test of the other end", () => {
    assert.equal(testOfRange(custom("2026-03-01", ""), days), {
      test: "? >= ?",
      value: "2026-03-01",
    });
    assert.equal(testOfRange(custom("", "2026-03-01"), days), {
      test: "? <= ?",
      value: "2026-03-01",
    });
    assert.equal(rangeOfTest({ test: "? >= ?", value: "2026-03-01" }), custom("2026-03-01", ""));
  });

  test("a test that ends before an instant is a range up to the millisecond before it", () => {
    assert.equal(
      rangeOfTest({ test: "? < ?", value: "2026-03-01T00:00:00.000Z" }),
      custom("", "2026-02-28T23:59:59.999Z"),
    );
  });

  test("tests of numbers, texts and lists are not ranges of dates", () => {
    for (const each of [
      { test: "? >= ?", value: 5 },
      { test: "? between ?", value: [1, 2] },
      { test: "? between ?", value: ["a", "b"] },
      { test: "? in ?", value: ["2026-03-01"] },
      { test: "? = ?", value: "2026-03-01" },
      { test: "custom", value: { unit: 1, quantity: 1 } },
      { test: "last_now", value: { unit: 0, quantity: 1 } },
      { test: "? is null" },
      { test: "? >= ?", value: "2026-99-99" },
    ])
      assert.is(rangeOfTest(each), undefined, JSON.stringify(each));
  });
});
