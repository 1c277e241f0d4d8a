import { countryCodes } from "./countries.ts";

/** Languages that are spoken in many countries: each is looked for in all of them. */
const widespread = ["ar", "de", "en", "es", "fr", "it", "nl", "pt", "sv"];

const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index));

/**
 * The locales of CLDR: every language that it has data for, the locale of each country, and the countries of
 * widespread languages. A locale counts when it is answered as itself, not as a more general one.
 */
export function localeIds(): string[] {
  const names = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
  const pairs = letters.flatMap((first) => letters.map((second) => first + second));
  const triples = pairs.flatMap((pair) => letters.map((third) => pair + third));
  // Asking whether a code is supported is cheaper than asking for its name, and rules out nearly all of them.
  const languages = [...pairs, ...triples].filter(
    (code) => Intl.NumberFormat.supportedLocalesOf(code)[0] === code && names.of(code),
  );
  const countries = countryCodes();
  const regional = [
    ...widespread.flatMap((language) => countries.map((code) => `${language}-${code}`)),
    ...countries.map((code) => `${new Intl.Locale(`und-${code}`).maximize().language}-${code}`),
  ];
  const isKnown = (id: string) => new Intl.NumberFormat(id).resolvedOptions().locale === id;
  return [...new Set([...languages, ...regional])].filter(isKnown).toSorted();
}
