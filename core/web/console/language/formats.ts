import { languageChoice, readerLanguage, readerLocale } from "./readerLanguage.ts";

/** The locale for numbers and times; undefined for the locale of the browser, with its extensions. */
const locale = languageChoice() === "browser" ? undefined : readerLocale;
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
const months = new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" });
const preciseInstants = new Intl.DateTimeFormat(locale, {
  dateStyle: "full",
  timeStyle: "long",
});
// "3 hours ago" consists of words, so it uses the language in which the page is shown, not the browser's.
const relative = new Intl.RelativeTimeFormat(readerLanguage, { numeric: "auto" });

const sizes = [
  ["gigabyte", 1e9],
  ["megabyte", 1e6],
  ["kilobyte", 1e3],
] as const;

/** The reader's time zone, in which times are shown. */
export const readerZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Isolates the writing direction of a name, so that the name does not change that of the sentence around it. */
export const isolated = (name: string): string => `\u2068${name}\u2069`;

export const writeNumber = (value: number): string => numbers.format(value);
/** Formats a number with three digits and a suffix: 1.23M. */
export const writeCompact = (value: number): string => compactNumbers.format(value);
/** Formats a size with three digits and a unit: 12.4 MB. */
export function writeBytes(bytes: number): string {
  const [unit, size] = sizes.find(([, each]) => bytes >= each) ?? ["byte", 1];
  // English has no short form for bytes.
  const unitDisplay = unit === "byte" ? "long" : "short";
  const format = { style: "unit", unit, unitDisplay, maximumSignificantDigits: 3 } as const;
  return new Intl.NumberFormat(locale, format).format(bytes / size);
}
/** Formats an instant in the reader's time zone; a dash for null. */
export const writeInstant = (iso: string | null | undefined): string =>
  iso ? instants.format(new Date(iso)) : "–";
/** Formats the day of an instant in the reader's time zone. */
export const writeDay = (iso: string): string => days.format(new Date(iso));
/** Formats a month of the calendar: "March 2026" for "2026-03". */
export const writeMonth = (month: string): string => months.format(new Date(`${month}-01T00:00Z`));
/** Formats an instant with its time zone, for tooltips. */
export const writeFullInstant = (iso: string): string => preciseInstants.format(new Date(iso));

const units = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** Formats the time between now and an instant in the past or future: "3 hours ago", "in 2 days". */
export function writeAgo(iso: string, nowMs = Date.now()): string {
  const seconds = (Date.parse(iso) - nowMs) / 1000;
  for (const [unit, size] of units)
    if (Math.abs(seconds) >= size) return relative.format(Math.round(seconds / size), unit);
  return relative.format(0, "second");
}

/**
 * Returns a stored string in the reader's language, in English, or in the first available language; "" if there is no
 * text. `localizedText` of the charts does the same, but importing it would load all charts with the first page.
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
