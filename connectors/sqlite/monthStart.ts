/** The first instant of ECMAScript. A period that begins earlier is treated as if it started at this instant. */
export const firstInstantMs = -8.64e15;

/** Returns the start in UTC of the month (1), quarter (3) or year (12) of an instant. */
export function monthStart(instantMs: number, months: number): number {
  const date = new Date(instantMs);
  const month = date.getUTCMonth();
  const start = new Date(0).setUTCFullYear(date.getUTCFullYear(), month - (month % months), 1);
  return Number.isNaN(start) ? firstInstantMs : start;
}
