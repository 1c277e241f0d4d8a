import { chooseWords } from "./chooseWords.ts";

/** The locale in which numbers and times are written; undefined: the browser's. */
const locale = undefined;
const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
const compactNumbers = new Intl.NumberFormat(locale, {
  notation: "compact",
  maximumSignificantDigits: 3,
});
const instants = new Intl.DateTimeFormat(locale, {
  dateStyle: "medium",
  timeStyle: "short",
});
const days = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
const preciseInstants = new Intl.DateTimeFormat(locale, {
  dateStyle: "full",
  timeStyle: "long",
});
// "3 hours ago" is in words: in the language of the page's words, whatever the browser's.
const relative = new Intl.RelativeTimeFormat(chooseWords({ en: "en" }), { numeric: "auto" });

/** The zone in which times are shown: the reader's. */
export const readerZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** The language in which charts write, such as `en-GB`: its region, and no more that browsers may add. */
export const readerLocale = plainLocale(navigator.language);

function plainLocale(given: string): string {
  return /^[a-z]{2,3}(-[A-Z]{2})?(?![a-z])/.exec(given)?.[0] ?? "en";
}

/** Keeps the direction of a name within a sentence, whatever its script. */
export const isolated = (name: string): string => `\u2068${name}\u2069`;

export const writeNumber = (value: number): string => numbers.format(value);
/** Three digits and a suffix: 1.23M. */
export const writeCompact = (value: number): string => compactNumbers.format(value);
/** An instant in the reader's zone; a dash for null. */
export const writeInstant = (iso: string | null | undefined): string =>
  iso ? instants.format(new Date(iso)) : "–";
/** The day of an instant, in the reader's zone. */
export const writeDay = (iso: string): string => days.format(new Date(iso));
/** An instant with its zone, for tooltips. */
export const writeFullInstant = (iso: string): string => preciseInstants.format(new Date(iso));

const units = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** How long ago an instant was, or in how long it is: "3 hours ago". */
export function writeAgo(iso: string, nowMs = Date.now()): string {
  const seconds = (Date.parse(iso) - nowMs) / 1000;
  for (const [unit, size] of units)
    if (Math.abs(seconds) >= size) return relative.format(Math.round(seconds / size), unit);
  return relative.format(0, "second");
}

/**
 * A stored string in the reader's language: its own, English, or the first; "" for none. The charts have the same
 * function, `localizedText`; importing it would load all of them with the first page.
 */
export function textOf(stored: unknown): string {
  if (typeof stored === "string") return stored;
  if (typeof stored !== "object" || stored === null) return "";
  const byLanguage: Readonly<Record<string, unknown>> = { ...stored };
  const language = readerLocale.split("-")[0] ?? "";
  const texts = [
    byLanguage[readerLocale],
    byLanguage[language],
    byLanguage["en"],
    ...Object.values(byLanguage),
  ];
  const found = texts.find((each) => typeof each === "string" && each !== "");
  return typeof found === "string" ? found : "";
}
