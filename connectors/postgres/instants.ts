/** The year 4713 before our era is the first of PostgreSQL's timestamps. */
const firstMs = Date.UTC(-4712, 0, 1);

/** Writes milliseconds since 1970 as a timestamp of UTC; instants before PostgreSQL's first one as -infinity. */
export function timestampText(instantMs: number): string {
  if (instantMs < firstMs) return "-infinity";
  const date = new Date(instantMs);
  if (Number.isNaN(date.getTime())) return "infinity";
  const year = date.getUTCFullYear();
  const rest = date.toISOString().slice(-20, -1).replace("T", " ");
  const written = String(year > 0 ? year : 1 - year).padStart(4, "0");
  return `${written}${rest}${year > 0 ? "" : " BC"}`;
}

/** Reads a timestamp of UTC as PostgreSQL prints it (ISO style) as milliseconds since 1970; null for the infinities. */
export function instantOf(text: string): number | null {
  // The year has four digits or more.
  const dash = text.indexOf("-", 4);
  if (dash < 0 || text.charCodeAt(0) === 45) return null;
  const digits = (at: number, count: number): number => {
    let value = 0;
    for (let index = at; index < at + count; index++)
      value = value * 10 + text.charCodeAt(index) - 48;
    return value;
  };
  const isBefore = text.endsWith("BC");
  const year = digits(0, dash);
  const milliseconds = text.charCodeAt(dash + 15) === 46 ? fraction(text, dash + 16) : 0;
  const [month, day] = [digits(dash + 1, 2) - 1, digits(dash + 4, 2)];
  const time =
    (digits(dash + 7, 2) * 60 + digits(dash + 10, 2)) * 60_000 +
    digits(dash + 13, 2) * 1000 +
    milliseconds;
  if (year > 99 && !isBefore) return Date.UTC(year, month, day) + time;
  return new Date(0).setUTCFullYear(isBefore ? 1 - year : year, month, day) + time;
}

function fraction(text: string, at: number): number {
  let [value, scale] = [0, 100];
  for (let index = at; scale >= 1; index++, scale /= 10) {
    const digit = text.charCodeAt(index) - 48;
    if (!(digit >= 0 && digit <= 9)) break;
    value += digit * scale;
  }
  return value;
}
