/** Languages whose names of months are recognized. English comes first. */
const languages =
  "en bg cs da de el es et fi fr hr hu id it lt lv nb nl nn pl pt ro ru sk sl sr-Latn sv tr uk".split(
    " ",
  );

let months: ReadonlyMap<string, number> | undefined;
let weekdays: ReadonlySet<string> | undefined;

/**
 * Returns the month, from 1, of a name such as `Jan`, `januari` or `Sept.`. Ignores case and a final point. Undefined
 * for other words, and for names that mean different months in different languages.
 */
export function monthNamed(name: string): number | undefined {
  months ??= collectMonths();
  return months.get(plain(name));
}

/** Returns whether a word is the English name of a weekday, such as `Thu` or `Thursday`. */
export function isWeekday(name: string): boolean {
  weekdays ??= new Set(
    Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2024, 0, 1 + day))).flatMap((day) =>
      (["short", "long"] as const).map((weekday) =>
        plain(day.toLocaleDateString("en", { weekday, timeZone: "UTC" })),
      ),
    ),
  );
  return weekdays.has(plain(name));
}

function collectMonths(): ReadonlyMap<string, number> {
  const found = new Map<string, number>([["sept", 9]]);
  const doubtful = new Set<string>();
  for (const language of languages)
    for (const form of forms)
      for (let month = 1; month <= 12; month++) {
        const parts = new Intl.DateTimeFormat(language, { ...form, timeZone: "UTC" }).formatToParts(
          Date.UTC(2024, month - 1, 5),
        );
        const name = plain(parts.find(({ type }) => type === "month")?.value ?? "");
        if (!/^\p{L}{3,}$/u.test(name)) continue;
        const known = found.get(name);
        if (known === undefined) found.set(name, month);
        else if (known !== month) doubtful.add(name);
      }
  for (const name of doubtful) found.delete(name);
  return found;
}

const forms = [
  { month: "short" },
  { month: "long" },
  { month: "short", day: "numeric" },
  { month: "long", day: "numeric" },
] as const satisfies readonly Intl.DateTimeFormatOptions[];

function plain(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}
