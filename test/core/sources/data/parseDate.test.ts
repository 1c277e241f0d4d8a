import * as assert from "uvu/assert";
import { detectType } from "../../../../core/sources/data/detectType.ts";
import { parseDate } from "../../../../core/sources/data/parseDate.ts";
import { parseInstant } from "../../../../core/queries/index.ts";
import { checkInformat, readInformat } from "../../../../core/resources/columns/informat.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const day = Date.UTC(2024, 0, 5);

suite("core/sources/data/parseDate", (test) => {
  test("a column parses dates in its informat and in ISO 8601", () => {
    const cases: readonly (readonly [string, unknown, number])[] = [
      ["DD-MM-YYYY", "05-01-2024", day],
      ["MM-DD-YYYY", "01-05-2024", day],
      ["DD-MM-YYYY", "5/1/2024", day],
      ["DD/MM/YYYY", "05.01.2024", day],
      ["YYYY-MM-DD", "2024/01/05", day],
      ["DD-MM-YYYY", "2024-01-05", day],
      ["DD-MM-YYYY", "2024-01-05T01:00:00+01:00", day],
      ["DD-MM-YYYY HH:mm:ss.SSS", "05-01-2024 10:30", day + 37_800_000],
      ["DD-MM-YYYY HH:mm:ss.SSS", "05-01-2024 10:30:15.25", day + 37_815_250],
      ["DD-MM-YYYY HH:mm:ss.SSS ZZ", "05-01-2024 10:30:15 +02:00", day + 30_615_000],
      ["MM-DD-YYYY HH:mm:ss ZZ", "01-05-2024T10:30:15-0230", day + 46_815_000],
      ["MM-DD-YYYY HH:mm:ss ZZ", "01-05-2024 10:30:15Z", day + 37_815_000],
      ["X", 1_704_412_800, day],
      ["X", "1704412800.5", day + 500],
      ["x", 1_704_412_800_000, day],
      ["x", "-1", -1],
      ["x", "2024-01-05", day],
    ];
    for (const [informat, cell, instant] of cases)
      assert.is(parseDate(cell, readInformat(informat)), instant, `${informat}: ${String(cell)}`);
  });

  test("a string in another format is not parsed as a date", () => {
    const cases: readonly (readonly [string, unknown])[] = [
      ["DD-MM-YYYY", "31-02-2024"],
      ["DD-MM-YYYY", "29-02-2023"],
      ["DD-MM-YYYY", "01-13-2024"],
      ["MM-DD-YYYY", "13-01-2024"],
      ["DD-MM-YYYY", "00-01-2024"],
      ["DD-MM-YYYY", "05-01-24"],
      ["DD-MM-YYYY", "05-01/2024"],
      ["DD-MM-YYYY", "05-01-2024 24:00"],
      ["DD-MM-YYYY", "05-01-2024 10:60"],
      ["DD-MM-YYYY", "05-01-2024 10:30 +24:00"],
      ["DD-MM-YYYY", "005-01-2024"],
      ["DD-MM-YYYY", 1_704_412_800],
      ["DD-MM-YYYY", "1704412800"],
      ["X", "soon"],
      ["x", 1e17],
      ["X", true],
      ["numeric", "05-01-2024"],
    ];
    for (const [informat, cell] of cases)
      assert.ok(
        Number.isNaN(parseDate(cell, readInformat(informat))),
        `${informat}: ${String(cell)}`,
      );
  });

  test("an informat must be the name of a type or a known date format", () => {
    for (const informat of ["", "numeric", "hierarchy", "array[datetime]", "X", "x"])
      assert.is(checkInformat(informat), undefined, informat);
    for (const start of ["YYYY-MM-DD", "DD-MM-YYYY", "MM/DD/YYYY", "DD.MM.YYYY"])
      for (const rest of ["", " HH:mm:ss.SSS", " HH:mm:ss.SSS ZZ"])
        assert.is(checkInformat(start + rest), undefined, start + rest);
    for (const informat of ["soon", "DD-MM/YYYY", "%d-%m-%Y", "XX", "YY-MM-DD"])
      assert.match(checkInformat(informat) ?? "", "DD-MM-YYYY", informat);
  });

  const random = createRandom();
  test("dates are detected if at least one date makes the order of day and month clear, and are read back unchanged", () =>
    withSeed(random, async () => {
      const two = (value: number) => String(value).padStart(2, "0");
      for (let round = 0; round < 200; round++) {
        const order = random.pick(["DMY", "MDY", "YMD"] as const);
        const days = Array.from({ length: 1 + random.below(40) }, () =>
          Date.UTC(1900 + random.below(200), random.below(12), 1 + random.below(28)),
        );
        const texts = days.map((instant) => {
          const date = new Date(instant);
          const [y, m, d] = [
            String(date.getUTCFullYear()),
            two(date.getUTCMonth() + 1),
            two(date.getUTCDate()),
          ];
          const parts = { DMY: [d, m, y], MDY: [m, d, y], YMD: [y, m, d] }[order];
          return parts.join("/");
        });
        const detected = detectType(
          texts.map((each) => [each]),
          0,
        );
        const decides = order === "YMD" || days.some((each) => new Date(each).getUTCDate() > 12);
        assert.is(detected.type, decides ? "datetime" : "hierarchy");
        if (!decides) assert.match(detected.doubt ?? "", "fit all values");
        else
          assert.equal(
            texts.map((each) => parseDate(each, detected.order)),
            days,
          );
      }
    }));

  test("ISO 8601 strings are parsed without an informat", () => {
    for (const text of ["2024-01-05", "2024-01-05T10:00:00Z", "2024-01-05 10:00:00.123"])
      assert.is(parseDate(text, undefined), parseInstant(text));
    assert.equal(detectType([["2024-01-05"], [null]], 0), { type: "datetime", subtype: "date" });
  });
});
