import * as assert from "uvu/assert";
import { checkDateFormat } from "../../../plugins/rows/dateFormat.ts";
import { readValue, type ValueForms } from "../../../plugins/rows/readValue.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

type Case = readonly [text: string, forms: ValueForms, value: number | string | null | undefined];

const numbers: readonly Case[] = [
  [".097", {}, 0.097],
  ["+3", {}, 3],
  ["    12  ", {}, 12],
  ["\u22125", {}, -5],
  ["(100)", {}, -100],
  ["(-100)", {}, undefined],
  ["(100", {}, undefined],
  ["(7,00 €)", { decimalComma: true, unit: "€" }, -7],
  ["", {}, null],
  ["  ", {}, null],
  ["1,234", {}, undefined],
  ["1,234", { thousands: "comma" }, 1234],
  ["1,234,567.5", { thousands: "comma" }, 1_234_567.5],
  ["12,34,567", { thousands: "comma" }, 1_234_567],
  ["1,23", { thousands: "comma" }, undefined],
  ["1,2345", { thousands: "comma" }, undefined],
  [",234", { thousands: "comma" }, undefined],
  ["1.234,56", { thousands: "point", decimalComma: true }, 1234.56],
  ["1.234.56", { thousands: "point", decimalComma: true }, undefined],
  ["5,58199E+12", { decimalComma: true }, 5.58199e12],
  ["1'234.50", { thousands: "apostrophe" }, 1234.5],
  ["1\u2019234", { thousands: "apostrophe" }, 1234],
  ["1 000", { thousands: "space" }, 1000],
  ["1\u202f000\u00a0000", { thousands: "space" }, 1_000_000],
  ["$1,000.50", { thousands: "comma", unit: "$" }, 1000.5],
  ["-$5", { unit: "$" }, -5],
  ["$-5", { unit: "$" }, -5],
  ["($5)", { unit: "$" }, -5],
  ["5 \u20ac", { unit: "\u20ac" }, 5],
  ["CHF 5", { unit: "CHF" }, 5],
  ["5", { unit: "$" }, 5],
  ["\u20ac5", { unit: "$" }, undefined],
  ["$5", {}, undefined],
  ["12%", { unit: "%" }, 0.12],
  ["29 %", { unit: "%" }, 0.29],
  ["12", { unit: "%" }, undefined],
  ["12%", {}, undefined],
  ["1e999", {}, undefined],
  ["1:02:03", { reading: "duration" }, 3723 / 3600],
  ["36:15", { reading: "duration" }, 36.25],
  ["-0:30", { reading: "duration" }, -0.5],
  ["PT1H30M", { reading: "duration" }, 1.5],
  ["1d 2h", { reading: "duration" }, 26],
  ["0:75", { reading: "duration" }, undefined],
  ["7", { reading: "duration" }, 7],
];

const day = (text: string) => Date.parse(text);
const dates: readonly Case[] = [
  ["1/25/2024 3:30 PM", { dates: "MDY" }, day("2024-01-25T15:30Z")],
  ["1/25/2024 12:05 a.m.", { dates: "MDY" }, day("2024-01-25T00:05Z")],
  ["1/25/2024 13:05 PM", { dates: "MDY" }, undefined],
  ["1/25/2024", { dates: "DMY" }, undefined],
  ["1/2/2024", {}, undefined],
  ["25.1.24", { dates: "DMY" }, day("2024-01-25")],
  ["25.1.69", { dates: "DMY" }, day("1969-01-25")],
  ["25.1.68", { dates: "DMY" }, day("2068-01-25")],
  ["24-01-25", { dates: "YMD" }, day("2024-01-25")],
  ["31/2/2024", { dates: "DMY" }, undefined],
  ["25/1.2024", { dates: "DMY" }, undefined],
  ["2015/01/01 01:00:00", {}, day("2015-01-01T01:00Z")],
  ["2024-1-5", {}, day("2024-01-05")],
  ["2023-02-29", {}, undefined],
  ["25-Jan-2024", {}, day("2024-01-25")],
  ["Jan 25, 2024", {}, day("2024-01-25")],
  ["Jan 1 2000", {}, day("2000-01-01")],
  ["January 25th, 2024 9:05", {}, day("2024-01-25T09:05Z")],
  ["25. M\u00e4rz 2024", {}, day("2024-03-25")],
  ["5 de enero de 2024", {}, day("2024-01-05")],
  ["1 listopad 2024", {}, undefined],
  ["Thu, 25 Jan 2024 10:00:00 GMT", {}, day("2024-01-25T10:00Z")],
  ["Chapter 12 2024", {}, undefined],
  ["20240131", {}, undefined],
  ["20240131", { format: "%Y%m%d" }, day("2024-01-31")],
  ["31.01.2024 15:30", { format: "%d.%m.%Y %H:%M" }, day("2024-01-31T15:30Z")],
  ["31.02.2024", { format: "%d.%m.%Y" }, undefined],
  ["2024-01-31", { format: "%d.%m.%Y" }, undefined],
  ["01/31/24 03:30 PM", { format: "%m/%d/%y %I:%M %p" }, day("2024-01-31T15:30Z")],
  ["060 2024", { format: "%j %Y" }, day("2024-02-29")],
  ["366 2023", { format: "%j %Y" }, undefined],
  ["0 2023", { format: "%j %Y" }, undefined],
  ["366 0000", { format: "%j %Y" }, day("0000-12-31")],
  ["183 2024 12:00", { format: "%j %Y %H:%M", timeZone: "Europe/Paris" }, day("2024-07-01T10:00Z")],
  ["2024-01-31", { format: "%Y-%m-%d" }, day("2024-01-31")],
  ["1704412800", { format: "epoch seconds" }, day("2024-01-05")],
  ["1704412800000", { format: "epoch milliseconds" }, day("2024-01-05")],
  ["1e9", { format: "epoch seconds" }, undefined],
  ["2024-07-01T12:00", { timeZone: "Europe/Paris" }, day("2024-07-01T10:00Z")],
  ["2024-07-01T12:00Z", { timeZone: "Europe/Paris" }, day("2024-07-01T12:00Z")],
];

suite("plugins/rows/readValue", (test) => {
  for (const [type, cases] of [
    ["numeric", numbers],
    ["datetime", dates],
  ] as const)
    test(`a ${type} string is read in the forms of its column, and only in these`, () => {
      for (const [text, forms, value] of cases)
        assert.is(
          readValue(text, type, forms),
          value,
          `${JSON.stringify(text)} ${JSON.stringify(forms)}`,
        );
    });

  test("a column of booleans contains true and false, whichever words its source uses", () => {
    const forms: ValueForms = { reading: "boolean" };
    const cases: readonly (readonly [unknown, unknown])[] = [
      [true, "true"],
      ["TRUE", "true"],
      ["yes", "true"],
      [1, "true"],
      [false, "false"],
      ["No", "false"],
      ["0", "false"],
      ["", null],
      [null, null],
      ["maybe", undefined],
      [2, undefined],
    ];
    for (const [value, expected] of cases)
      assert.is(readValue(value, "hierarchy", forms), expected, String(value));
  });

  test("a number of an epoch is a datetime only in a column with this format", () => {
    assert.is(readValue(1_704_412_800, "datetime", { format: "epoch seconds" }), day("2024-01-05"));
    assert.is(readValue(1_704_412_800, "datetime", {}), undefined);
    assert.is(readValue(1e300, "datetime", { format: "epoch seconds" }), undefined);
    assert.is(readValue(1e-7, "datetime", { format: "epoch seconds" }), 0);
    for (const value of [1.001, "1.001", " 1.0019 "])
      assert.is(readValue(value, "datetime", { format: "epoch seconds" }), 1001, String(value));
  });

  test("the reason why a date format is invalid names the directive", () => {
    const cases: readonly (readonly [string, RegExp | undefined])[] = [
      ["%d.%m.%Y %H:%M", undefined],
      ["%-d %B %Y", undefined],
      ["%Y-%m-%d", undefined],
      ["%Y%m%d (%H/%M) [x] {y} a|b ^$ \\ *+?", undefined],
      ["%q", /%q is not a directive; use %Y/],
      ["%d.%m", /no directive for the year/],
      ["%Y %y", /two directives for the year/],
      ["%Y %a%A", /two directives for the weekday/],
      ["%Y-%d", /day without a month/],
      ["%Y %I", /%I and %p need each other/],
      ["%Y".padEnd(200), /longer than 100 characters/],
    ];
    for (const [format, reason] of cases)
      if (reason) assert.match(checkDateFormat(format) ?? "", reason, format);
      else assert.is(checkDateFormat(format), undefined, format);
  });

  test("times in a zone equal those of Temporal, even when clocks change", async () => {
    const random = createRandom();
    const zones = ["Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"];
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 300, deep: 5000 }); round++) {
        const timeZone = random.pick(zones);
        // Half of the times are close to a change of clocks.
        const from = Temporal.Instant.fromEpochMilliseconds(random.below(2 ** 31) * 900);
        const change = from.toZonedDateTimeISO(timeZone).getTimeZoneTransition("next");
        const near = change && random.chance(0.5) ? change.toInstant() : from;
        const local = near
          .add({ minutes: random.below(300) - 150 })
          .toZonedDateTimeISO("UTC")
          .toPlainDateTime()
          .add({ nanoseconds: change?.offsetNanoseconds ?? 0 })
          .round("minute");
        const expected = local.toZonedDateTime(timeZone).epochMilliseconds;
        assert.is(
          readValue(local.toString(), "datetime", { timeZone }),
          expected,
          `${local} ${timeZone}`,
        );
      }
    });
  });
});
