/** Languages whose names of months are recognized. English comes first. */
const languages =
  "en bg cs da de el es et fi fr hr hu id it lt lv nb nl nn pl pt ro ru sk sl sr-Latn sv tr uk";

const forms: readonly Intl.DateTimeFormatOptions[] = [
  { month: "short" },
  { month: "long" },
  { month: "short", day: "numeric" },
  { month: "long", day: "numeric" },
];

const plain = (name: string) => name.toLowerCase().replace(/\.$/, "");

let months: ReadonlyMap<string, number> | undefined;
let weekdays: ReadonlySet<string> | undefined;

/**
 * Returns the month, from 1, of a name such as `Jan` or `Sept.` in one of the languages above. NaN for other words, and
 * for names of several months. The first call collects all names.
 */
export function monthNamed(name: string): number {
  months ??= collectMonths();
  return months.get(plain(name)) ?? NaN;
}

/** Returns 0 for the English name of a weekday, such as `Thu`; NaN for other words. */
export function weekdayNamed(name: string): number {
  weekdays ??= new Set(
    ["mon", "tues", "wednes", "thurs", "fri", "satur", "sun"].flatMap((day) => [
      day.slice(0, 3),
      `${day}day`,
    ]),
  );
  return weekdays.has(plain(name)) ? 0 : NaN;
}

function collectMonths(): ReadonlyMap<string, number> {
  const found = new Map([["sept", 9]]);
  for (const language of languages.split(" "))
    for (const form of forms) {
      const format = new Intl.DateTimeFormat(language, { ...form, timeZone: "UTC" });
      for (let month = 1; month <= 12; month++) {
        const parts = format.formatToParts(Date.UTC(2024, month - 1, 5));
        const name = plain(parts.find(({ type }) => type === "month")?.value ?? "");
        if (!/^\p{L}{3,}$/u.test(name)) continue;
        // Once a name means two months, it stays unknown.
        found.set(name, (found.get(name) ?? month) === month ? month : NaN);
      }
    }
  return found;
}
