const day: Intl.DateTimeFormatOptions = {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  calendar: "gregory",
  timeZone: "UTC",
};

/** Returns a day such as `2026-03-31` as people of a language type it, such as `31.03.2026`. */
export function writeDay(value: string, localeId: string): string {
  return new Intl.DateTimeFormat(localeId, day).format(new Date(value));
}

/**
 * Reads a day that a person typed: in the order of the language, or as `2026-03-31`. The separators and the digits of
 * the language do not matter. Returns the day as `2026-03-31`; undefined for any other text.
 */
export function parseDay(typed: string, localeId: string): string | undefined {
  const numbers = latinDigits(typed, localeId).match(/\d+/g) ?? [];
  if (numbers.length !== 3) return undefined;
  const order = /^\D*\d{4}/.test(latinDigits(typed, localeId))
    ? ["year", "month", "day"]
    : new Intl.DateTimeFormat(localeId, day)
        .formatToParts(new Date(0))
        .flatMap(({ type }) => (["year", "month", "day"].includes(type) ? [type] : []));
  const part = (name: string) => numbers[order.indexOf(name)] ?? "";
  const [year, month, date] = [part("year"), part("month"), part("day")];
  if (year.length !== 4 && year.length !== 2) return undefined;
  const iso = [
    year.length === 2 ? `20${year}` : year,
    month.padStart(2, "0"),
    date.padStart(2, "0"),
  ].join("-");
  const parsed = new Date(`${iso}T00:00:00.000Z`);
  // The 31st of a month with 30 days would become the first of the next month.
  return !Number.isNaN(parsed.valueOf()) && parsed.toISOString().startsWith(iso) ? iso : undefined;
}

/** Replaces the digits of a language, such as Arabic digits, by those of ASCII. */
function latinDigits(text: string, localeId: string): string {
  const { format } = new Intl.NumberFormat(localeId, { useGrouping: false });
  const digits = Array.from({ length: 10 }, (_, digit) => format(digit));
  return [...text]
    .map((letter) => {
      const digit = digits.indexOf(letter);
      return digit === -1 ? letter : String(digit);
    })
    .join("");
}
