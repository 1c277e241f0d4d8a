import * as assert from "uvu/assert";
import {
  countryOutlines,
  findCountry,
  shapeOfCountry,
} from "../../../../../../core/web/charts/kinds/maps/countries.ts";
import { countryCodes } from "../../../../../../core/web/charts/kinds/maps/countryCodes.ts";
import { checkedShape } from "../../../../../../core/web/charts/kinds/maps/placeShape.ts";
import { suite } from "../../../../../support/suite.ts";

suite("core/web/charts/kinds/maps/countries", (test) => {
  test("countries are found by codes of two and three letters and of three digits", () => {
    for (const { alpha2, alpha3, numeric } of countryCodes) {
      assert.is(findCountry(alpha2, "en"), alpha2);
      assert.is(findCountry(alpha3.toLowerCase(), "en"), alpha2);
      if (numeric !== "") assert.is(findCountry(numeric, "en"), alpha2);
    }
  });

  test("countries are found by their names in English and in the reader's language", () => {
    for (const localeId of ["en", "fr", "nl-BE", "de-AT", "es", "ar-EG", "ja", "hi"]) {
      const names = new Intl.DisplayNames([localeId], { type: "region" });
      for (const { alpha2 } of countryCodes) {
        const name = names.of(alpha2) ?? "";
        assert.is(findCountry(name, localeId), alpha2, `${localeId} ${name}`);
      }
    }
  });

  test("names are found in other languages, without accents and under former names", () => {
    for (const [name, code] of [
      ["Deutschland", "DE"],
      ["cote d'ivoire", "CI"],
      ["THE NETHERLANDS", "NL"],
      ["Bosnia & Herzegovina", "BA"],
      ["St. Lucia", "LC"],
      ["日本", "JP"],
      ["Czech Republic", "CZ"],
      ["United States of America", "US"],
      ["UK", "GB"],
      ["Türkiye", "TR"],
      ["Republic of Korea", "KR"],
    ])
      assert.is(findCountry(name ?? "", "en"), code, name);
  });

  test("other strings name no country", () => {
    for (const name of ["", "  ", "Atlantis", "Brussels", "999", "ZZ", "constructor", "__proto__"])
      assert.is(findCountry(name, "en"), undefined, name);
    assert.is(findCountry("Belgium", "not a locale"), "BE");
  });

  test("every country with a code has an outline or a point, apart from parts of other countries", () => {
    const lacking = countryCodes.filter(({ alpha2 }) => !shapeOfCountry(alpha2));
    assert.ok(countryCodes.length === 250);
    assert.equal(
      lacking.map(({ alpha2 }) => alpha2).join(" "),
      "BQ BV CC CX GF GI GP MQ RE SJ TK TV UM YT",
    );
  });

  test("every outline of the world map can be drawn", () => {
    for (const { code, shape } of countryOutlines()) assert.ok(checkedShape(shape), code);
    assert.is(countryOutlines().length, 177);
  });
});
