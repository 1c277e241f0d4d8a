import { countryCodes } from "./countries.ts";

/** Languages that are spoken in many countries. Each language is combined with all countries. */
const widespread = ["ar", "de", "en", "es", "fr", "it", "nl", "pt", "sv"];

const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index));

/**
 * Returns the locales of CLDR: every language with data, the locale of each country, and widespread languages with
 * every country. Includes a locale only if it resolves to itself, not to a more general locale.
 */
export function localeIds(): string[] {
  const names = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
  const pairs = letters.flatMap((first) => letters.map((second) => first + second));
  const triples = pairs.flatMap((pair) => letters.map((third) => pair + third));
  // This check excludes nearly all codes, and is faster than looking up names.
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
