import { scaleUtc } from "d3-scale";
import { timeLabels, type TimeLabel } from "../format/datetimeFormats.ts";

const dayMs = 86_400_000;

/** The shortest duration of a period at each level, in milliseconds. */
const shortest = [0, 365, 90, 28, 7, 1, 1 / 24, 1 / 1440, 1 / 86_400, 0].map(
  (days) => days * dayMs,
);

/**
 * Returns the maximum distance in milliseconds between consecutive periods of a level. A longer distance is a gap.
 * Infinite if the level is unknown.
 */
export function gapMs(level: number | undefined): number {
  const period = shortest[level ?? 0];
  return period ? period * 1.6 : Infinity;
}

/** Returns the coarsest level whose periods are no longer than the smallest distance between two times. */
function levelBetween(stepMs: number): number {
  const level = shortest.findIndex((periodMs, index) => index > 0 && stepMs >= periodMs * 0.99);
  // A week can begin on any day of a month, so ticks of weeks are labelled by day.
  return level === 4 ? 5 : level === -1 ? 9 : level;
}

/** A tick of a time axis, with its label. */
export interface TimeTick extends TimeLabel {
  readonly wallMs: number;
}

/**
 * Returns ticks at calendar steps that are no shorter than the periods of a level. Where a longer period begins, the
 * label names that period too.
 */
export function timeTicks(
  fromMs: number,
  toMs: number,
  count: number,
  { level, localeId }: { readonly level: number | undefined; readonly localeId: string },
): TimeTick[] {
  const scale = scaleUtc().domain([fromMs, toMs]);
  let wanted = Math.max(2, count);
  let times = scale.ticks(wanted).map(Number);
  const finestMs = (shortest[level ?? 9] ?? 0) * 0.99;
  while (wanted > 1 && stepOf(times) < finestMs) times = scale.ticks(--wanted).map(Number);
  if (times.length === 0 || stepOf(times) < finestMs) times = [fromMs];
  times = onMondays(times, fromMs, toMs);
  const label = timeLabels(times.length > 1 ? levelBetween(stepOf(times)) : (level ?? 5), localeId);
  let within = "";
  return times.map((wallMs) => {
    const shown = label(wallMs);
    const isNew = shown.within !== within;
    within = shown.within;
    return { wallMs, period: shown.period, within: isNew ? shown.within : "" };
  });
}

/**
 * Moves weekly ticks from Sunday, where the scale's weeks begin, to Monday, where weeks in data begin (ISO 8601).
 * Returns other ticks unchanged.
 */
function onMondays(times: readonly number[], fromMs: number, toMs: number): number[] {
  const stepMs = stepOf(times);
  const isWeekly =
    times.length > 1 &&
    stepMs % (7 * dayMs) === 0 &&
    times.every((time) => time % dayMs === 0 && new Date(time).getUTCDay() === 0);
  if (!isWeekly) return [...times];
  const before = times[0]! + dayMs - stepMs;
  const first = before >= fromMs ? before : before + stepMs;
  const mondays: number[] = [];
  for (let time = first; time <= toMs; time += stepMs) mondays.push(time);
  return mondays;
}

function stepOf(times: readonly number[]): number {
  let least = Infinity;
  for (let index = 1; index < times.length; index++)
    least = Math.min(least, (times[index] ?? 0) - (times[index - 1] ?? 0));
  return least;
}
