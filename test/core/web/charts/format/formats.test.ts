import * as assert from "uvu/assert";
import { datetimeFormat } from "../../../../../core/web/charts/format/datetimeFormats.ts";
import { numberFormat, tickFormat } from "../../../../../core/web/charts/format/numberFormats.ts";
import { wallClock } from "../../../../../core/web/charts/format/wallClock.ts";
import { createRandom, withSeed } from "../../../../support/random.ts";
import { suite } from "../../../../support/suite.ts";
import { between } from "../between.ts";

const plain = (shown: string) => shown.replaceAll(/[\u202f\u00a0]/g, " ");

suite("core/web/charts/format", (test) => {
  test("numbers have the format of their column, with the separators of the locale", () => {
    const write = (value: number, format: string, localeId: string) =>
      plain(numberFormat({ format }, localeId)(value));
    assert.is(write(1234567.891, ",.2f", "en"), "1,234,567.89");
    assert.is(write(1234567.891, ",.2f", "de"), "1.234.567,89");
    assert.is(write(1234567.891, ",.0f", "fr"), "1 234 568");
    assert.is(write(-0.125, ".1%", "en"), "−12.5%");
    assert.is(write(1234.5, ",.2af", "en"), "1,234.50");
    assert.is(write(1234.5, "no format", "en"), "1,235");
    assert.is(write(1, "099999999f", "en"), "1");
    assert.is(plain(numberFormat({ format: ",.2f", currency: "EUR" }, "en")(-5)), "−€5.00");
  });

  test("tick labels are short and all different", () => {
    const shown = (ticks: number[], format?: string) =>
      ticks.map(tickFormat(ticks, { format }, "en"));
    assert.equal(shown([0, 200_000, 400_000]), ["0", "200K", "400K"]);
    assert.equal(shown([0, 0.05, 0.1]), ["0.00", "0.05", "0.10"]);
    assert.equal(shown([0, 0.5, 1], ".0%"), ["0%", "50%", "100%"]);
    assert.equal(shown([1_000_000, 1_200_000, 1_400_000]), ["1M", "1.2M", "1.4M"]);
    assert.equal(shown([-20, 0, 20]), ["−20", "0", "20"]);
  });

  test("datetimes have the format of their level and language, or the format of their column", () => {
    const at = Date.UTC(2001, 1, 3, 4, 5);
    const shown = (level: number, localeId: string, format?: string) =>
      datetimeFormat({ level, format }, localeId)(at);
    assert.is(shown(1, "en"), "2001");
    assert.is(shown(2, "en"), "Q1 2001");
    assert.is(shown(3, "en"), "Feb 2001");
    assert.is(shown(3, "fr"), "févr. 2001");
    assert.is(shown(5, "de"), "3. Feb. 2001");
    assert.is(shown(0, "en", "%d/%m/%Y"), "03/02/2001");
    assert.is(shown(0, "nl", "%d %B %Y"), "03 februari 2001");
  });

  test("a column's format is used at its level, unless periods would be shown wrongly or as equals", () => {
    const at = Date.UTC(2001, 1, 3, 4, 5, 6);
    const shown = (level: number, format: string) => datetimeFormat({ level, format }, "en")(at);
    assert.is(shown(1, "%y"), "01");
    assert.is(shown(2, "%Y-Q%q"), "2001-Q1");
    assert.is(shown(3, "%m/%Y"), "02/2001");
    assert.is(shown(4, "%d/%m/%y"), "03/02/01");
    assert.is(shown(4, "week %V of %G"), "week 05 of 2001");
    assert.is(shown(5, "%d/%m/%y"), "03/02/01");
    assert.is(shown(5, "%a %-d %b"), "Sat 3 Feb");
    assert.is(shown(6, "%d/%m/%y"), "03/02/01 04:05");
    assert.is(shown(6, "%-d.%-m. %H h"), "3.2. 04 h");
    assert.is(shown(7, "%d/%m/%y %H:%M"), "03/02/01 04:05");
    assert.is(shown(8, "%d/%m/%y"), "03/02/01 04:05:06");
    assert.is(plain(shown(8, "%X")), "4:05:06 AM");
    // A month as its first day, every month of a year as the same text, and formats without a directive.
    assert.is(shown(3, "%d/%m/%y"), "Feb 2001");
    assert.is(shown(3, "%Y"), "Feb 2001");
    assert.is(shown(5, "%m/%Y"), "Feb 3, 2001");
    assert.is(shown(5, "%H:%M"), "Feb 3, 2001");
    assert.is(shown(5, "100 %"), "Feb 3, 2001");
    assert.is(shown(5, "%d".repeat(60)), "Feb 3, 2001");
  });

  test("wall-clock times equal those of Temporal around every clock change", () => {
    for (const zone of [
      "Europe/Amsterdam",
      "Australia/Lord_Howe",
      "Asia/Kathmandu",
      "Pacific/Apia",
    ]) {
      let at = Temporal.Instant.from("1900-01-01T00:00Z").toZonedDateTimeISO(zone);
      for (let count = 0; count < 60; count++) {
        const next = at.getTimeZoneTransition("next");
        if (!next) break;
        at = next;
        for (const movedMs of [-3_600_000, -1_000, -1, 0, 1, 1_799_999, 3_600_000]) {
          const instantMs = next.epochMilliseconds + movedMs;
          const there = Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(zone);
          const expected = there.toPlainDateTime().toZonedDateTime("UTC").epochMilliseconds;
          assert.is(wallClock(instantMs, zone), expected, `${instantMs} ${zone}`);
        }
      }
    }
  });

  test("wall-clock times equal those of Temporal at random instants", () => {
    const random = createRandom();
    const zones = ["UTC", "Europe/Brussels", "America/New_York", "Asia/Kathmandu", "Pacific/Apia"];
    return withSeed(random, async () => {
      for (let round = 0; round < 200; round++) {
        const instantMs = between(random, -3e12, 4e12);
        const zone = random.pick(zones);
        const { year, month, day, hour, minute, second, millisecond } =
          Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(zone);
        const expected = new Date(0);
        expected.setUTCFullYear(year, month - 1, day);
        expected.setUTCHours(hour, minute, second, millisecond);
        assert.is(wallClock(instantMs, zone), expected.getTime(), `${instantMs} ${zone}`);
      }
    });
  });
});
