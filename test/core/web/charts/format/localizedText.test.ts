import * as assert from "uvu/assert";
import { localizedText } from "../../../../../core/web/charts/format/localizedText.ts";
import { suite } from "../../../../support/suite.ts";

suite("core/web/charts/format/localizedText", (test) => {
  test("a string in the locale comes first, then in its language, in English, or in any", () => {
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

  test("an empty string of a language counts as absent", () => {
    assert.is(localizedText({ nl: "", en: "", fr: "Ville" }, "nl"), "Ville");
    assert.is(localizedText({ nl: "", en: 5, fr: null }, "nl"), "");
  });

  test("a plain string is returned as it is; a value without strings gives an empty one", () => {
    assert.is(localizedText("City", "nl"), "City");
    for (const stored of [undefined, null, 5, true, ["City"], {}])
      assert.is(localizedText(stored, "nl"), "", String(stored));
  });
});
