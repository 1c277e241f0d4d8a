import * as assert from "uvu/assert";
import { counted, fillIn } from "../../../../../core/web/charts/words/templates.ts";
import {
  directionOf,
  languageOf,
  languages,
} from "../../../../../core/web/charts/words/languages.ts";
import { createWordTable } from "../../../../../core/web/charts/words/createWordTable.ts";
import { loadWords, wordsOf } from "../../../../../core/web/charts/words/wordsOf.ts";
import {
  kindWordsOf,
  loadKindWords,
} from "../../../../../core/web/charts/kinds/words/kindWordsOf.ts";
import { exportWordsOf } from "../../../../../core/exports/named/exportWordsOf.ts";
import {
  controlWordsOf,
  loadControlWords,
} from "../../../../../core/web/embed/controls/words/controlWordsOf.ts";
import { loadLanguage, viewWordsOf } from "../../../../../core/web/embed/view/viewWordsOf.ts";
import { suite } from "../../../../support/suite.ts";
import { findFaultyWords } from "./findFaultyWords.ts";

suite("core/web/charts/words", (test) => {
  test("words are English until their language is loaded, and loading can be repeated", async () => {
    let loadCount = 0;
    const load = async () => {
      if (++loadCount === 1) throw new TypeError("offline");
      return { words: { total: "合計" } };
    };
    const none = () => Promise.reject(new TypeError("no other language is loaded"));
    const others = {
      nl: none,
      fr: none,
      de: none,
      es: none,
      it: none,
      pt: none,
      ar: none,
      he: none,
    };
    const table = createWordTable({ total: "Total" }, { ...others, ja: load });
    await table.load("en-US");
    assert.is(table.isLoaded("ja-JP"), false);
    assert.is(table.of("ja-JP").total, "Total");
    const failed = await table.load("ja-JP").then(
      () => "loaded",
      (failure: unknown) => String(failure),
    );
    assert.is(failed, "TypeError: offline");
    await table.load("ja-JP");
    await table.load("ja");
    assert.is(loadCount, 2);
    assert.is(table.isLoaded("ja"), true);
    assert.is(table.of("ja").total, "合計");
    assert.is(table.of("sv").total, "Total");
  });

  test("every word is in all ten languages, with its placeholders and plural forms", async () => {
    await Promise.all(
      languages.flatMap((each) => [
        loadLanguage(each),
        loadKindWords(each),
        loadControlWords(each),
      ]),
    );
    const faulty = languages.flatMap((language) =>
      [wordsOf, viewWordsOf, kindWordsOf, controlWordsOf, exportWordsOf].flatMap((of) =>
        findFaultyWords(of("en"), of(language), language).map((path) => `${language}${path}`),
      ),
    );
    assert.equal(faulty, []);
  });

  test("a missing word, a lost placeholder and a missing plural form are found", () => {
    const english = { a: "one {b}", c: "two", d: { one: "{count} x", other: "{count} xs" } };
    const words = { a: "eins", c: "", d: { other: "{count} y" } };
    assert.equal(findFaultyWords(english, words, "de"), [".a", ".c", ".d.one"]);
    assert.equal(findFaultyWords(english, {}, "de"), [".a", ".c", ".d"]);
  });

  test("counts have the plural form of their language and the digits of the locale", async () => {
    await Promise.all(["ar-EG", "he", "ja", "de"].map(loadWords));
    const rows = (count: number, localeId: string) =>
      counted(wordsOf(localeId).rows, count, localeId);
    assert.is(rows(1, "en"), "1 row");
    assert.is(rows(1_204, "en"), "1,204 rows");
    assert.is(rows(1, "de"), "1 Zeile");
    assert.is(rows(2, "ar-EG"), "صفان");
    assert.is(rows(5, "ar-EG"), "٥ صفوف");
    assert.is(rows(11, "ar-EG"), "١١ صفًا");
    assert.is(rows(2, "he"), "שתי שורות");
    assert.is(rows(1_204, "ja"), "1,204 行");
  });

  test("a value that looks like a placeholder is not replaced", () => {
    assert.is(
      fillIn("{amount} of {name}, {other}", { amount: "{name}", name: "x" }),
      "{name} of x, {other}",
    );
    assert.is(fillIn("{constructor}", {}), "{constructor}");
  });

  test("the language and direction of a locale are read from its tag", () => {
    assert.is(languageOf("pt-BR"), "pt");
    assert.is(languageOf("iw-IL"), "he");
    assert.is(languageOf("sv-SE"), "en");
    assert.is(directionOf("ar-EG"), "rtl");
    assert.is(directionOf("fa"), "rtl");
    assert.is(directionOf("he-u-nu-latn"), "rtl");
    assert.is(directionOf("en-AE"), "ltr");
  });
});
