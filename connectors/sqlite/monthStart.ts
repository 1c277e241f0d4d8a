/** The start of ECMAScript time, at which a period that began before it is shown. */
export const firstInstantMs = -8.64e15;

/** Returns the start in UTC of the month of an instant, of its quarter (3 months) or of its year (12). */
export function monthStart(instantMs: number, months: number): number {
  const date = new Date(instantMs);
  const month = date.getUTCMonth();
  const start = new Date(0).setUTCFullYear(date.getUTCFullYear(), month - (month % months), 1);
  return Number.isNaN(start) ? firstInstantMs : start;
}
