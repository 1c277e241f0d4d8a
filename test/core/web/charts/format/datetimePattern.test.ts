import { timeFormatLocale } from "d3-time-format";
import * as assert from "uvu/assert";
import { datetimePattern } from "../../../../../core/web/charts/format/datetimePattern.ts";
import { rounds } from "../../../../support/layer.ts";
import { createRandom, withSeed } from "../../../../support/random.ts";
import { suite } from "../../../../support/suite.ts";

const names = {
  dateTime: "%x, %X",
  date: "%-m/%-d/%Y",
  time: "%-I:%M:%S %p",
  periods: ["AM", "PM"],
  days: ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
  shortDays: ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"],
  months: [..."JFMAMJJASOND"].map((letter, index) => `${letter}${index}`),
  shortMonths: [..."jfmamjjasond"].map((letter, index) => `${letter}${index}`),
} satisfies Parameters<typeof datetimePattern>[1];
const letters = [..."aAbBcdefgGHIjLmMpqQsSuUVwWxXyYZ%", "-d", "_d", "0e", "-j", "_H", "k", "{"];

suite("core/web/charts/format/datetimePattern", (test) => {
  test("dates equal those of d3-time-format, for every directive and fill", async () => {
    const random = createRandom();
    const locale = timeFormatLocale({
      ...names,
      periods: ["AM", "PM"],
      days: ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
      shortDays: ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"],
      months: ["J0", "F1", "M2", "A3", "M4", "J5", "J6", "A7", "S8", "O9", "N10", "D11"],
      shortMonths: ["j0", "f1", "m2", "a3", "m4", "j5", "j6", "a7", "s8", "o9", "n10", "d11"],
    });
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 300, deep: 20_000 }); round++) {
        const at =
          Date.UTC(1_890 + random.below(260), 0, random.below(366)) + random.below(86_400_000);
        for (const letter of letters) {
          const pattern = `%${letter}|`;
          const expected = locale.utcFormat(pattern)(new Date(at));
          assert.is(datetimePattern(pattern, names)(at), expected, `${pattern} ${at}`);
        }
      }
    });
  });

  test("text around directives, and a lone percent sign, equal those of d3-time-format", () => {
    const at = Date.UTC(2026, 2, 1, 9, 5);
    const english = timeFormatLocale({
      ...names,
      periods: ["AM", "PM"],
      days: ["a", "b", "c", "d", "e", "f", "g"],
      shortDays: ["a", "b", "c", "d", "e", "f", "g"],
      months: ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"],
      shortMonths: ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"],
    });
    for (const pattern of ["", "%", "Week %V of %G", "100%% %Y%m%d", "é%Y%", "%-", "%_"])
      assert.is(
        datetimePattern(pattern, names)(at),
        english.utcFormat(pattern)(new Date(at)),
        pattern,
      );
  });
});
