import * as assert from "uvu/assert";
import {
  datetimeFormat,
  timeLabels,
} from "../../../../../core/web/charts/format/datetimeFormats.ts";
import { numberFormat, tickFormat } from "../../../../../core/web/charts/format/numberFormats.ts";
import { readColumns, type SlotField } from "../../../../../core/web/charts/index.ts";
import { suite } from "../../../../support/suite.ts";

const nbsp = "\u00a0";
const narrow = "\u202f";
const amount = { format: ",.2f", currency: "EUR" };

/** The forms of the Unicode CLDR. */
const numbers: readonly (readonly [
  localeId: string,
  amount: string,
  negative: string,
  share: string,
])[] = [
  ["en-US", "€1,235,667.88", "−€0.34", "65.7%"],
  ["de-DE", `1.235.667,88${nbsp}€`, `−0,34${nbsp}€`, `65,7${nbsp}%`],
  ["fr-FR", `1${narrow}235${narrow}667,88${nbsp}€`, `−0,34${nbsp}€`, `65,7${nbsp}%`],
  ["en-IN", "€12,35,667.88", "−€0.34", "65.7%"],
  ["nl-NL", `€${nbsp}1.235.667,88`, `€${nbsp}−0,34`, "65,7%"],
  ["es-ES", `1.235.667,88${nbsp}€`, `−0,34${nbsp}€`, `65,7${nbsp}%`],
  ["it-IT", `1.235.667,88${nbsp}€`, `−0,34${nbsp}€`, "65,7%"],
  ["pt-BR", `€${nbsp}1.235.667,88`, `−€${nbsp}0,34`, "65,7%"],
  ["ja-JP", "€1,235,667.88", "−€0.34", "65.7%"],
  ["sv-SE", `1${nbsp}235${nbsp}667,88${nbsp}€`, `−0,34${nbsp}€`, `65,7${nbsp}%`],
];

suite("core/web/charts/format/locales", (test) => {
  for (const [localeId, written, negative, share] of numbers)
    test(`${localeId} has its own amounts and shares`, () => {
      assert.is(numberFormat(amount, localeId)(1_235_667.88), written);
      assert.is(numberFormat(amount, localeId)(-0.34), negative);
      assert.is(numberFormat({ format: ".1%" }, localeId)(0.657), share);
    });

  test("Arabic has its own digits, separators and percent sign", () => {
    const bare = (text: string) => text.replaceAll(/[\u061c\u200e\u200f]/g, "");
    assert.is(bare(numberFormat({ format: ",.2f" }, "ar-EG")(1234567.89)), "١٬٢٣٤٬٥٦٧٫٨٩");
    assert.is(bare(numberFormat({ format: ".1%" }, "ar-EG")(0.657)), "٦٥٫٧٪");
    assert.is(bare(numberFormat({ format: ",.2f" }, "fa-IR")(-1234.5)), "−۱٬۲۳۴٫۵۰");
    assert.is(numberFormat({ format: ",.2f" }, "ar-EG-u-nu-latn")(1234.5), "1,234.50");
  });

  test("every kind of D3 format keeps its meaning", () => {
    const shown = (format: string, value: number, localeId = "en") =>
      numberFormat({ format }, localeId)(value);
    assert.is(shown("d", 1234.5), "1235");
    assert.is(shown(",d", 1234.5, "de"), "1.235");
    assert.is(shown(".2f", 1234.567), "1234.57");
    assert.is(shown(",.3~f", 1234.5), "1,234.5");
    assert.is(shown(".0%", 0.256), "26%");
    assert.is(shown(".2p", 0.25678), "26%");
    assert.is(shown(",.3r", 123456), "123,000");
    assert.is(shown(".3s", 1234567), "1.23M");
    assert.is(shown(".3~s", 1500, "de"), "1,5k");
    assert.is(shown(".2e", 1234567, "de"), "1,23e+6");
    assert.is(shown(".3g", 1234567), "1.23e+6");
    assert.is(shown(",", 1234.25), "1,234.25");
    assert.is(shown("n", 1234.25), "1,234.25");
    assert.is(shown("+,.1f", 12), "+12.0");
    assert.is(shown("+,.1f", -12), "−12.0");
    assert.is(shown(" .1f", 12), " 12.0");
    assert.is(shown("(,.1f", -12), "(12.0)");
    assert.is(shown("(,.1f", 12), "12.0");
    assert.is(shown("06.1f", 12), "0012.0");
    assert.is(shown("*^9,.1f", 12), "**12.0***");
    assert.is(shown("x", 255), "ff");
    assert.is(shown("#x", 255), "0xff");
    assert.is(shown("$,.2f", 5), "5.00");
    assert.is(shown(".1f", -0.001), "0.0");
    assert.is(numberFormat({ format: "$.2s", currency: "EUR" }, "de")(-1_200_000), `−1,2M${nbsp}€`);
    assert.is(numberFormat({ format: "(,.2f", currency: "USD" }, "en")(-5), "($5.00)");
  });

  test("text that is not the code of a currency stands where its symbol would", () => {
    const points = (localeId: string) =>
      numberFormat({ format: ",.1f", currency: "pts" }, localeId);
    assert.is(points("de")(5), `5,0${nbsp}pts`);
    assert.is(points("en")(-5), `−pts${nbsp}5.0`);
    assert.is(numberFormat({ format: ",.0f", currency: "€" }, "en")(5), "€5");
  });

  test("amounts without a format have the digits of their currency", () => {
    assert.is(numberFormat({ currency: "EUR" }, "en")(12), "€12");
    assert.is(numberFormat({ currency: "EUR" }, "en")(1234.5), "€1,234.50");
    assert.is(numberFormat({ currency: "JPY" }, "ja-JP")(1234.5), "¥1,235".replace("¥", "￥"));
  });

  test("ticks are compact as their language writes them, with the currency in its place", () => {
    const tick = (localeId: string, value: number) =>
      tickFormat([0, 2e6, 4e6], { currency: "EUR" }, localeId)(value);
    assert.is(tick("en", -2e6), "−€2M");
    assert.is(tick("de", 2e6), `2${nbsp}Mio.${nbsp}€`);
    assert.is(tick("en-IN", 2e6), "€20L");
    assert.is(tick("ja", 2e6), "€200万");
    assert.match(tick("he", 2e6), /^\u200f2M/);
    assert.match(tick("he", -2e6), /^\u200f\u200e−2M/);
    assert.is(tickFormat([0, 0.2, 0.4], { format: ".0%" }, "de")(0.4), `40${nbsp}%`);
  });

  test("cells have the medium datetime of their locale, unless the author chose a format", () => {
    const at = Date.UTC(2026, 0, 2, 19);
    const shown = (localeId: string, format?: string, subtype?: string) =>
      datetimeFormat({ format, subtype }, localeId)(at).replaceAll(narrow, " ");
    assert.is(shown("en-US"), "Jan 2, 2026, 7:00:00 PM");
    assert.is(shown("en-US", "%d-%m-%Y %H:%M:%S"), "Jan 2, 2026, 7:00:00 PM");
    assert.is(shown("en-GB", "%d-%m-%Y"), "2 Jan 2026");
    assert.is(shown("de-DE"), "02.01.2026, 19:00:00");
    assert.is(shown("fr-FR", undefined, "date"), "2 janv. 2026");
    assert.is(shown("ja-JP"), "2026/01/02 19:00:00");
    assert.is(shown("en-US", "%d/%m/%y"), "02/01/26");
    assert.is(shown("ar-EG", "%d/%m/%y"), "٠٢/٠١/٢٦");
    assert.is(shown("de", "%x"), "02.01.2026");
  });

  test("quarters have the name that their language uses", () => {
    const at = Date.UTC(2025, 10, 1);
    const quarter = (localeId: string) => datetimeFormat({ level: 2 }, localeId)(at);
    assert.is(quarter("en"), "Q4 2025");
    assert.is(quarter("fr-FR"), "T4 2025");
    assert.is(quarter("nl"), "K4 2025");
    assert.is(quarter("ja-JP"), "2025/Q4");
    assert.is(quarter("ar-EG"), "الربع الرابع ٢٠٢٥");
    assert.equal(timeLabels(2, "es")(at), { period: "T4", within: "2025" });
  });

  test("axes have the clock of their language", () => {
    const at = Date.UTC(2026, 0, 2, 16);
    assert.is(timeLabels(6, "en-US")(at).period, "4 PM");
    assert.is(timeLabels(7, "en-US")(at + 300_000).period, "4:05 PM");
    assert.is(timeLabels(6, "de")(at).period, "16:00");
  });

  test("periods of data keep Gregorian months, and Thai years are Buddhist", () => {
    const at = Date.UTC(2026, 2, 1);
    const month = (localeId: string) => datetimeFormat({ level: 3 }, localeId)(at);
    assert.is(month("fa-IR"), "مارس ۲۰۲۶");
    assert.is(month("ar-SA"), "مارس ٢٠٢٦");
    assert.is(month("ar-SA-u-ca-islamic-umalqura-nu-latn"), "مارس 2026");
    assert.match(month("th-TH"), "2569");
  });

  test("a picture never mixes two systems of digits", () => {
    const latin = /[0-9]/;
    const at = "2026-03-31T09:05:06.000Z";
    const fields: readonly SlotField[] = [
      { slot: "x", type: "numeric", format: ",.2f", currency: "EUR" },
      { slot: "x", type: "numeric", format: ".3s" },
      { slot: "x", type: "numeric", format: "010.1e" },
      { slot: "x", type: "numeric" },
      { slot: "x", type: "datetime", format: "%d %b %Y %H:%M" },
      ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(
        (level) => ({ slot: "x", type: "datetime", level }) as const,
      ),
    ];
    for (const localeId of ["ar-EG", "ar-SA", "fa-IR", "mr-IN", "bn-BD", "my-MM"]) {
      const columns = readColumns({ fields, localeId, timezoneId: "UTC" });
      for (const column of columns)
        for (const cell of column.isNumeric ? [1234.5, -1e30, 1e-9] : [at])
          assert.not.match(column.text(cell), latin, `${localeId} ${column.text(cell)}`);
      for (const largest of [1, 30, 5e6, 1e40])
        assert.not.match(tickFormat([0, largest], {}, localeId)(largest), latin);
      for (let level = 1; level <= 9; level++)
        assert.not.match(Object.values(timeLabels(level, localeId)(Date.parse(at))).join(), latin);
    }
  });
});
