import * as assert from "uvu/assert";
import { parseDay, writeDay } from "../../../../../core/web/embed/controls/parseDay.ts";
import { suite } from "../../../../support/suite.ts";

suite("core/web/embed/controls/parseDay", (test) => {
  test("days are read in the order and with the digits of a language", () => {
    for (const [typed, localeId, day] of [
      ["31.03.2026", "de-DE", "2026-03-31"],
      ["1.2.26", "de-DE", "2026-02-01"],
      ["03/31/2026", "en-US", "2026-03-31"],
      ["31/03/2026", "en-GB", "2026-03-31"],
      ["2026/3/31", "ja-JP", "2026-03-31"],
      ["2026-03-31", "en-US", "2026-03-31"],
      ["٣١/٣/٢٠٢٦", "ar-EG", "2026-03-31"],
    ] as const)
      assert.is(parseDay(typed, localeId), day, typed);
  });

  test("what is not a day is not read", () => {
    for (const typed of ["", "soon", "31.02.2026", "2026", "3.2026", "1.2.3.4", "00.01.2026"])
      assert.is(parseDay(typed, "de-DE"), undefined, typed);
  });

  test("every language reads the days that it writes", () => {
    const locales = [
      "en-US",
      "en-GB",
      "de-DE",
      "fr-FR",
      "nl-NL",
      "es-ES",
      "ar-EG",
      "fa-IR",
      "he-IL",
      "hi-IN",
      "ja-JP",
      "ko-KR",
      "th-TH",
      "sv-SE",
    ];
    for (const localeId of locales)
      for (const day of ["2026-03-31", "2024-02-29", "2025-12-01"])
        assert.is(parseDay(writeDay(day, localeId), localeId), day, localeId);
  });
});
