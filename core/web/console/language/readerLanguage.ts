/** The languages of the console, each under its own name. */
export const languageNames = {
  en: "English",
  nl: "Nederlands",
  fr: "Français",
  de: "Deutsch",
  es: "Español",
} as const;

/** A language in which the console has words, as an ISO 639 code. */
export type ConsoleLanguage = keyof typeof languageNames;
/** What the reader chose in this browser: a language, or the first of the browser's that the console has. */
export type LanguageChoice = ConsoleLanguage | "browser";

const storageKey = "manifold-language";
const preferred: readonly string[] = navigator.languages;

function isConsoleLanguage(code: string | null | undefined): code is ConsoleLanguage {
  return typeof code === "string" && Object.hasOwn(languageNames, code);
}

/** The languages in the order in which menus offer them. */
export const consoleLanguages: readonly ConsoleLanguage[] =
  Object.keys(languageNames).filter(isConsoleLanguage);

const partOf = (locale: string): string => locale.toLowerCase().split("-", 1)[0] ?? "";

/** Returns what the reader chose in this browser. */
export function languageChoice(): LanguageChoice {
  const stored = globalThis.localStorage?.getItem(storageKey);
  return isConsoleLanguage(stored) ? stored : "browser";
}

/** Stores the language that the reader chose. Pages that are open keep their language until they are reloaded. */
export function chooseLanguage(choice: LanguageChoice): void {
  if (choice === "browser") localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, choice);
}

const chosen = languageChoice();

/** The language of the page's words: the reader's choice, the first of the browser's languages, or English. */
export const readerLanguage: ConsoleLanguage =
  chosen === "browser" ? (preferred.map(partOf).find(isConsoleLanguage) ?? "en") : chosen;

/**
 * The language and region for numbers, dates and charts, such as `en-GB`, without extensions that browsers may add. It
 * is the browser's unless the reader chose another language.
 */
export const readerLocale: string = plainLocale(
  chosen === "browser"
    ? navigator.language
    : (preferred.find((locale) => partOf(locale) === chosen) ?? chosen),
);

function plainLocale(given: string): string {
  return /^[a-z]{2,3}(-[A-Z]{2})?(?![a-z])/.exec(given)?.[0] ?? "en";
}
