import * as assert from "uvu/assert";
import { splitNumber } from "../../../plugins/protocol/numberText.ts";
import { suite } from "../../support/suite.ts";

/** Writes a split number as `-digits unit`. */
function written(text: string): string | undefined {
  const found = splitNumber(text);
  if (!found) return undefined;
  const { isNegative, digits, exponent, unit } = found;
  return `${isNegative ? "-" : ""}${digits}${exponent}${unit === undefined ? "" : ` ${unit}`}`;
}

const blanks = [" ", "\u00a0", "\u2009", "\u202f", ""];

suite("plugins/protocol/numberText", (test) => {
  test("signs, parentheses and currencies stand before or after the digits", () => {
    const cases: Readonly<Record<string, readonly string[]>> = {
      "-7,00 €": ["(7,00)_€", "€_(7,00)", "(€_7,00)", "(7,00_€)", "-7,00_€", "€_-7,00", "-€_7,00"],
      "7,00 €": ["7,00_€", "€_7,00", "+7,00_€", "\u200e7,00_€"],
      "-5": ["5-", "-5", "\u22125", "(5)", "- 5", "\u20135", "\uff08\uff15\uff09"],
      "5 EUR": ["5_EUR", "EUR_5", "5 EUR"],
      "-5 $": ["-$5", "$-5", "$5-", "5-$", "5$-", "($5)"],
      "1'234.50 CHF": ["CHF_1'234.50", "1'234.50_CHF"],
      "5. CHF": ["CHF_5.-", "CHF 5.–", "CHF 5.—"],
      "1.234,56 R$": ["R$_1.234,56"],
      "12 %": ["12_%", "%12", "12_٪", "١٢٪"],
      "-12 %": ["(12_%)", "-%12"],
      "500 Rs": ["Rs.500", "Rs._500", "Rs 500"],
      "1,234.5": ["١٬٢٣٤٫٥", "۱٬۲۳۴٫۵", "१,२३४.५", "１，２３４．５", "๑,๒๓๔.๕"],
      "1,234.5 د.إ": ["د.إ.\u200f ١٬٢٣٤٫٥"],
      "5e3 €": ["5e3_€"],
    };
    for (const [expected, texts] of Object.entries(cases))
      for (const text of texts)
        for (const blank of blanks)
          assert.is(written(text.replaceAll("_", blank)), expected, `${text} with "${blank}"`);
    for (const space of ["\u00a0", "\u2009", "\u202f", " "])
      assert.is(written(`1${space}234,56 kr`), `1${space}234,56 kr`);
  });

  test("codes, telephone numbers and ranges are not numbers", () => {
    const names =
      "65+|5 kg|A5|5A|ABC 5|5 ABC|(030) 123|5-6|--5|-(5)|((5))|(5|5)|€5€|EUR 5 USD|-5-|v1.2|1e|#5|5/6|12:30|€|-|()";
    for (const text of names.split("|")) assert.is(written(text), undefined, text);
  });
});
