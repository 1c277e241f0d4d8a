import * as assert from "uvu/assert";
import { localizedText } from "../../../../../core/web/charts/format/localizedText.ts";
import { suite } from "../../../../support/suite.ts";

suite("core/web/charts/format/localizedText", (test) => {
  test("localized text is chosen by locale, then by language, then in English, then in any language", () => {
    const name = { de: "Stadt", fr: "Ville", nl: "Stad", en: "City", "nl-BE": "Stede" };
    for (const [localeId, text] of [
      ["nl-BE", "Stede"],
      ["nl-NL", "Stad"],
      ["fr-BE", "Ville"],
      ["ja", "City"],
      ["constructor", "City"],
      ["", "City"],
    ] as const)
      assert.is(localizedText(name, localeId), text, localeId);
    assert.is(localizedText({ de: "Stadt", fr: "Ville" }, "ja"), "Stadt");
  });

  test("an empty translation counts as missing", () => {
    assert.is(localizedText({ nl: "", en: "", fr: "Ville" }, "nl"), "Ville");
    assert.is(localizedText({ nl: "", en: 5, fr: null }, "nl"), "");
  });

  test("a plain string is returned unchanged, and a value without text becomes an empty string", () => {
    assert.is(localizedText("City", "nl"), "City");
    for (const stored of [undefined, null, 5, true, ["City"], {}])
      assert.is(localizedText(stored, "nl"), "", String(stored));
  });
});
