import { DuckDBInstance } from "@duckdb/node-api";
import * as assert from "uvu/assert";
import { compileDateFormat } from "../../../engine/expressions/compileDateFormat.ts";
import { monthNamed, weekdayNamed } from "../../../engine/expressions/monthNames.ts";
import { applyFunction } from "../../../plugins/meanings/evaluate.ts";
import {
  dateDirectives,
  isWeekday,
  monthNamed as protocolMonth,
  splitDateFormat,
} from "../../../plugins/protocol/index.ts";
import { checkDateFormat, readFormattedDate } from "../../../plugins/rows/dateFormat.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

const languages = ["en", "de", "fr", "es", "cs", "el", "fi", "hr", "id", "pl", "ru", "tr", "uk"];
const wordsOf = (language: string, month: number): readonly string[] =>
  (["short", "long"] as const).flatMap((style) => {
    const at = Date.UTC(2024, month, 5);
    return [{ month: style }, { month: style, day: "numeric" } as const].map(
      (form) =>
        new Intl.DateTimeFormat(language, { ...form, timeZone: "UTC" })
          .formatToParts(at)
          .find(({ type }) => type === "month")?.value ?? "",
    );
  });
const months = languages.flatMap((language) =>
  Array.from({ length: 12 }, (_, month) => wordsOf(language, month)).flat(),
);
const words = [...months, "mai", "Sept.", "listopad", "Mon", "thursday", "Fri.", "Maandag", "xyz"];

/** Returns null for NaN, which is not equal to itself. */
const orNull = (value: number | undefined): number | null | undefined =>
  Number.isNaN(value) ? null : value;
const padded = (value: number, length: number) => String(value).padStart(length, "0");
const digits = (random: Random, below: number, length: number) =>
  random.chance(0.5) ? padded(random.below(below), length) : String(random.below(below));

/** Returns a string that a directive may accept: most values exist, some do not. */
function textOf(letter: string, random: Random): string {
  switch (letter) {
    case "Y":
      return padded(random.pick([0, 1, 1900, 1969, 2000, 2023, 2024, 9999]), 4);
    case "y":
      return padded(random.below(100), 2);
    case "m":
      return digits(random, 14, 2);
    case "d":
    case "e":
      return `${random.chance(0.1) ? " " : ""}${digits(random, 33, 2)}`;
    case "j":
      return digits(random, 368, 3);
    case "H":
      return digits(random, 26, 2);
    case "I":
      return digits(random, 14, 2);
    case "M":
    case "S":
      return padded(random.below(61), 2);
    case "L":
      return padded(random.below(1000), 3);
    case "f":
      return String(random.below(10 ** (1 + random.below(9))));
    case "p":
      return random.pick(["am", "PM", "a.m.", "P.M", "pm.", "xm"]);
    case "Z":
      return random.pick(["Z", "utc", "GMT", "+02:00", "-0530", "+14", "+24:00", "-01:60", "CET"]);
    default:
      return random.pick(words);
  }
}

const between = [
  "-",
  ".",
  "/",
  " ",
  "",
  ":",
  "T",
  ", ",
  "\u00a0",
  "%%",
  "(",
  "]",
  "k",
  "é",
  "𝒳",
  "+",
];

function shuffle<Item>(random: Random, items: readonly Item[]): Item[] {
  const left = [...items];
  return items.flatMap(() => left.splice(random.below(left.length), 1));
}

/** Returns a format of random directives, and a string that may fit it. */
function randomCase(random: Random): readonly [format: string, text: string] {
  const wanted = shuffle(random, Object.keys(dateDirectives)).slice(0, 1 + random.below(8));
  const clock = random.chance(0.4) ? ["I", "p"] : ["H"];
  const more = shuffle(random, [clock, ["M"], ["S"], ["f"], ["Z"]]).slice(0, random.below(6));
  const known = shuffle(random, ["Y", "m", "d", ...more.flat()]);
  let format = "";
  let text = "";
  for (const letter of random.chance(0.7) ? known : wanted) {
    const mark = random.pick(between);
    format += `${mark}%${random.chance(0.1) ? "-" : ""}${random.chance(0.02) ? "q" : letter}`;
    const written = mark === "%%" ? "%" : mark;
    text += (random.chance(0.1) ? written.toUpperCase() : written) + textOf(letter, random);
  }
  const cut = random.below(text.length + 1);
  if (random.chance(0.1)) text = text.slice(0, cut) + text.slice(cut + 1);
  if (random.chance(0.1)) text = ` ${text}\t`;
  return [format, text];
}

suite("engine/expressions/compileDateFormat", (test) => {
  test("the engine, the reference and the readers of files parse dates in the same formats to the same instants", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      let parsedCount = 0;
      for (let round = 0; round < rounds({ quick: 300, deep: 20_000, soak: 200_000 }); round++) {
        const [format, text] = randomCase(random);
        const label = `${JSON.stringify(text)} in ${JSON.stringify(format)}`;
        const parse = compileDateFormat(format);
        assert.is(parse === undefined, typeof splitDateFormat(format) === "string", label);
        assert.is(parse === undefined, checkDateFormat(format) !== undefined, label);
        if (!parse) continue;
        const expected = applyFunction("parseDate", [text, format]) ?? NaN;
        assert.ok(
          Object.is(parse(text) + 0, expected),
          `engine: ${label} is ${parse(text)}, not ${String(expected)}`,
        );
        const ofReader = readFormattedDate(text, format, "UTC") ?? NaN;
        assert.ok(
          Object.is(ofReader + 0, expected),
          `reader: ${label} is ${ofReader}, not ${String(expected)}`,
        );
        if (parse(text) === parse(text)) parsedCount++;
      }
      assert.ok(parsedCount > rounds({ quick: 10, deep: 1000 }), `${parsedCount} parsed`);
    });
  });

  test("the engine knows the same names of months and weekdays as the protocol", () => {
    for (const word of words) {
      assert.is(orNull(monthNamed(word)), protocolMonth(word) ?? null, word);
      assert.is(orNull(weekdayNamed(word)), isWeekday(word) ? 0 : null, word);
    }
    assert.is(monthNamed("Juin"), 6);
    for (const day of ["Monday", "tue", "Wednesday", "thu.", "Friday", "SAT", "Sunday"])
      assert.is(weekdayNamed(day), 0, day);
  });

  test("a string of more than 200 characters and a format of more than 100 are not dates", () => {
    const parse = compileDateFormat("%b %Y");
    assert.is(parse?.(`${" ".repeat(500)}May 2024`), Date.UTC(2024, 4));
    assert.is(orNull(parse?.(`May${"y".repeat(200)} 2024`)), null);
    assert.is(compileDateFormat("%Y".padEnd(101)), undefined);
    assert.is.not(compileDateFormat("%Y".padEnd(100)), undefined);
  });

  test.deep("dates in formats that DuckDB shares are the same in try_strptime", async () => {
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    const random = createRandom();
    await withSeed(random, async () => {
      const formats = [
        "%d.%m.%Y",
        "%Y-%m-%d %H:%M:%S",
        "%m/%d/%y",
        "%d %b %Y",
        "%Y %j",
        "%d.%m.%Y %I:%M %p",
      ];
      const letters = /%(\w)/g;
      const cases = Array.from({ length: 3000 }, () => {
        const format = random.pick(formats);
        const text = format.replaceAll(letters, (_, letter: string) => {
          if (letter === "b") return random.pick(["Jan", "feb", "DEC"]);
          if (letter === "p") return random.pick(["AM", "PM"]);
          // DuckDB accepts a second of 60 and the year 0 in its own way.
          if (letter === "Y") return random.pick(["1900", "1969", "2000", "2023", "2024"]);
          // DuckDB accepts day 366 in every year.
          if (letter === "j") return digits(random, 366, 3);
          return letter === "S" ? padded(random.below(60), 2) : textOf(letter, random).trim();
        });
        return [format, text] as const;
      });
      const rows = cases.map(([format, text]) => `('${text}', '${format}')`).join(", ");
      const sql = formats
        .map((format) => `when '${format}' then try_strptime(text, '${format}')`)
        .join(" ");
      const reader = await connection.runAndReadAll(
        `select epoch_ms(case format ${sql} end)::double from (values ${rows}) as x(text, format)`,
      );
      for (const [at, [value]] of reader.getRows().entries()) {
        const [format = "", text = ""] = cases[at] ?? [];
        assert.is(orNull(compileDateFormat(format)?.(text)), value, `${text} in ${format}`);
      }
    });
    connection.closeSync();
    instance.closeSync();
  });
});
