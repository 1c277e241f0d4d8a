import { withLocalDigits } from "./localNumerals.ts";

/**
 * How languages write a quarter, and a quarter of a year, in short form. `#` is the number of the quarter and `y` the
 * year. `Intl` has no quarters; these are the forms of the Unicode CLDR (version 47).
 */
const forms: Readonly<Record<string, readonly [quarter: string, ofYear: string]>> = {
  en: ["Q#", "Q# y"],
  cs: ["Q#", "Q# y"],
  da: ["#. kvt.", "#. kvt. y"],
  de: ["Q#", "Q# y"],
  el: ["Τ#", "Τ# y"],
  es: ["T#", "T# y"],
  fi: ["#. nelj.", "#. nelj. y"],
  fr: ["T#", "T# y"],
  he: ["רבעון #", "רבעון # y"],
  it: ["T#", "T# y"],
  ja: ["Q#", "y/Q#"],
  ko: ["#분기", "y년 #분기"],
  nb: ["#. kv.", "#. kv. y"],
  nl: ["K#", "K# y"],
  no: ["#. kv.", "#. kv. y"],
  pl: ["# kw.", "# kw. y"],
  pt: ["T#", "T# de y"],
  ru: ["#-й кв.", "#-й кв. y г."],
  sv: ["K#", "K# y"],
  tr: ["Ç#", "y Ç#"],
  uk: ["#-й кв.", "#-й кв. y р."],
  zh: ["#季度", "y年第#季度"],
};

/** Languages that name quarters with words. */
const named: Readonly<Record<string, readonly [string, string, string, string]>> = {
  ar: ["الربع الأول", "الربع الثاني", "الربع الثالث", "الربع الرابع"],
  fa: ["س‌م۱", "س‌م۲", "س‌م۳", "س‌م۴"],
};

/**
 * Returns a quarter as the language of a locale writes it: "Q4", "T4", or with a year "Q4 2025". `year` is the year in
 * the digits of the locale. Languages without a form of their own use the English form.
 */
export function quarterText(quarter: 1 | 2 | 3 | 4, localeId: string, year?: string): string {
  const [language = ""] = localeId.toLowerCase().split("-", 1);
  const name = Object.hasOwn(named, language) ? named[language]?.[quarter - 1] : undefined;
  const [alone, ofYear] = (Object.hasOwn(forms, language) ? forms[language] : undefined) ?? [
    "Q#",
    "Q# y",
  ];
  if (name !== undefined) return year === undefined ? name : `${name} ${year}`;
  const number = withLocalDigits(String(quarter), localeId);
  return (year === undefined ? alone : ofYear.replace("y", year)).replace("#", number);
}
