import * as assert from "uvu/assert";
import { isDateOnly, parseInstant } from "../../../../core/queries/parse/parseInstant.ts";
import { millisecondsOf } from "../../../../plugins/protocol/index.ts";
import { suite } from "../../../support/suite.ts";

const seed = Number(process.env["SEED"] ?? 20260921);

suite("core/queries/parse/parseInstant", (test) => {
  test("every day from 1899 to 2101 is parsed as in the calendar, with and without a time", () => {
    for (let at = Date.UTC(1899, 0, 1); at < Date.UTC(2101, 0, 1); at += 86_400_000) {
      const text = new Date(at + 12_345_678).toISOString();
      assert.is(parseInstant(text.slice(0, 10)), at, text);
      assert.is(parseInstant(text), at + 12_345_678, text);
    }
  });

  test("a day that does not exist in its month is not an instant", () => {
    for (const year of [1900, 2000, 2023, 2024])
      for (let month = 0; month <= 13; month++)
        for (let day = 0; day <= 32; day++) {
          const text = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
          const at = new Date(Date.UTC(year, month - 1, day));
          const exists =
            month >= 1 && month <= 12 && at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
          assert.equal(parseInstant(text), exists ? at.getTime() : Number.NaN, text);
        }
  });

  test("strings that differ slightly from a fixed form are parsed exactly as the protocol says", () => {
    let state = seed;
    const below = (bound: number) =>
      (state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff) % bound;
    const forms = [
      "2024-02-29",
      "2024-02-29T23:59:59",
      "2024-02-29 23:59:59.999Z",
      "2024-02-29T23:59:59+05:30",
      "2024-02-29T23:59",
    ];
    const letters = "0123456789-:.TZ+ z,x";
    let readable = 0;
    for (let index = 0; index < 20_000; index++) {
      const text = [...(forms[below(forms.length)] ?? "")];
      for (let change = below(3); change > 0; change--)
        text[below(text.length + 1)] = letters[below(letters.length)] ?? "";
      const written = text.join("");
      const expected = millisecondsOf(written);
      if (expected !== undefined) readable++;
      assert.equal(
        parseInstant(written),
        expected ?? Number.NaN,
        `SEED=${seed} ${JSON.stringify(written)}`,
      );
    }
    assert.ok(readable > 5_000);
  });

  test("a string that is not an ISO date is not an instant, whatever its length", () => {
    for (const text of [
      "",
      "2024",
      "yesterday",
      "01/02/2024",
      "2024-1-2",
      "2024-01-01T24:00:00Z",
      "2024-01-01T10:60:00",
      "9".repeat(100_000),
    ])
      assert.ok(Number.isNaN(parseInstant(text)), text.slice(0, 30));
  });

  test("parsing distinguishes a date without a time from a date-time", () => {
    assert.ok(isDateOnly("2024-01-01"));
    assert.not.ok(isDateOnly("2024-01-01T00:00:00Z"));
  });
});
