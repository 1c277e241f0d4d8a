/** The directives of date formats, as in D3, and the part of a date that each directive names. */
export const dateDirectives = {
  Y: "year",
  y: "year",
  m: "month",
  b: "month",
  B: "month",
  d: "day",
  e: "day",
  j: "dayOfYear",
  H: "hour",
  I: "hour",
  M: "minute",
  S: "second",
  L: "fraction",
  f: "fraction",
  p: "half",
  a: "weekday",
  A: "weekday",
  Z: "zone",
} as const;

/** The letter of a directive, without its percent sign. */
export type DateDirective = keyof typeof dateDirectives;
/** A part of a date that a format names at most once. `half` is AM or PM, `zone` is an offset from UTC. */
export type DateFormatPart = (typeof dateDirectives)[DateDirective];

/** A directive of a date format, or a code point that stands for itself. */
export type DateFormatToken =
  | { readonly directive: DateDirective; readonly character?: never }
  | { readonly character: string; readonly directive?: never };

const longestFormat = 100;
/** The parts of a format whose values are calendar dates. */
const calendarParts: ReadonlySet<DateFormatPart> = new Set<DateFormatPart>([
  "year",
  "month",
  "day",
  "dayOfYear",
  "weekday",
]);

const isDirective = (letter: string): letter is DateDirective =>
  Object.hasOwn(dateDirectives, letter);

/**
 * Splits a date format such as `%d.%m.%Y %H:%M` into directives and other characters. `%%` is a percent sign, and a
 * padding as in `%-d` is ignored. Returns the reason, as a string, if the format is invalid. O(characters).
 */
export function splitDateFormat(format: string): readonly DateFormatToken[] | string {
  if (format.length > longestFormat) return `it is longer than ${longestFormat} characters`;
  const tokens: DateFormatToken[] = [];
  const parts = new Set<DateFormatPart>();
  const characters = Array.from(format);
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? "";
    if (character !== "%") {
      tokens.push({ character });
      continue;
    }
    // D3 writes directives with a padding such as %-d.
    if (/[-_0]/.test(characters[at + 1] ?? "")) at++;
    const letter = characters[++at] ?? "";
    if (letter === "%") {
      tokens.push({ character: letter });
      continue;
    }
    if (!isDirective(letter))
      return `%${letter} is not a directive; use ${Object.keys(dateDirectives)
        .map((each) => `%${each}`)
        .join(" ")}`;
    const part = dateDirectives[letter];
    if (parts.has(part)) return `it has two directives for the ${part}`;
    parts.add(part);
    tokens.push({ directive: letter });
  }
  if (!parts.has("year")) return "it has no directive for the year, such as %Y";
  if (!parts.has("dayOfYear") && parts.has("day") && !parts.has("month"))
    return "it has a day without a month, such as %m";
  if (tokens.some(({ directive }) => directive === "I") !== parts.has("half"))
    return "%I and %p need each other";
  return tokens;
}

/** Returns whether a date format names only calendar dates: neither a time of day nor an offset. */
export function isCalendarFormat(format: string): boolean {
  const tokens = splitDateFormat(format);
  return (
    typeof tokens !== "string" &&
    tokens.every(
      ({ directive }) => directive === undefined || calendarParts.has(dateDirectives[directive]),
    )
  );
}
