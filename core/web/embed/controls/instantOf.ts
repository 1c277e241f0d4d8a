import { wallClock, isDay } from "../../charts/index.ts";

/** Returns the instant of a moment, or the instant at which a day begins in a time zone, some days later. */
export function instantOf(moment: string, daysLater: 0 | 1, timezoneId: string): string {
  if (!isDay(moment)) return new Date(moment).toISOString();
  const wallMs = Date.parse(`${moment}T00:00:00.000Z`) + daysLater * 86_400_000;
  let instantMs = wallMs;
  // The first guess may use the offset before or after a clock change; the second guess corrects it.
  for (let guess = 0; guess < 2; guess++) instantMs -= wallClock(instantMs, timezoneId) - wallMs;
  return new Date(instantMs).toISOString();
}
