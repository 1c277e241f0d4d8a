import { utcTicks } from "d3-time";
import { timeLabels, type TimeLabel } from "../format/datetimeFormats.ts";
import type { TimeScale } from "./timeScale.ts";

const dayMs = 86_400_000;

/** The shortest duration of a period at each level, in milliseconds. */
const shortest = [0, 365, 90, 28, 7, 1, 1 / 24, 1 / 1440, 1 / 86_400, 0].map(
  (days) => days * dayMs,
);

/** Returns the level of the labels of ticks: the coarsest one whose periods fit between two ticks. */
function levelBetween(stepMs: number, dataLevel: number | undefined): number {
  const level = shortest.findIndex((periodMs, index) => index > 0 && stepMs >= periodMs * 0.99);
  // A week can begin on any day of a month, so ticks of weeks are labelled by day.
  if (dataLevel === 4 || level === 4) return 5;
  // A tick at the first of three months is that month, unless the data are about quarters.
  if (level === 2 && dataLevel !== 2) return 3;
  return level === -1 ? 9 : level;
}

/** A tick of a time axis, with its label. */
export interface TimeTick extends TimeLabel {
  readonly wallMs: number;
}

/** The periods of an axis, their level, and the language of the labels. */
export interface TimeTickOptions {
  readonly level: number | undefined;
  readonly localeId: string;
}

/**
 * Returns ticks at calendar steps that are no shorter than the periods of a level. Where a longer period begins, the
 * label names that period too. At the level of weeks, ticks are on the weekday of `fromMs`.
 */
export function timeTicks(
  fromMs: number,
  toMs: number,
  count: number,
  { level, localeId }: TimeTickOptions,
): TimeTick[] {
  const ticksOf = (wanted: number) =>
    utcTicks(new Date(fromMs), new Date(toMs), wanted).map(Number);
  let wanted = Math.max(2, count);
  let times = ticksOf(wanted);
  const finestMs = (shortest[level ?? 9] ?? 0) * 0.99;
  while (wanted > 1 && stepOf(times) < finestMs) times = ticksOf(--wanted);
  if (times.length === 0 || stepOf(times) < finestMs) times = [fromMs];
  times = level === 4 ? weeksFrom(fromMs, toMs, count) : onMondays(times, fromMs, toMs);
  const shown = times.length > 1 ? levelBetween(stepOf(times), level) : (level ?? 5);
  return labelled(times, shown, localeId);
}

/**
 * Returns a tick for every period of a scale, with or without rows; undefined if the scale has more than `most`
 * periods, or periods shorter than a day.
 */
export function periodTicks(
  scale: TimeScale,
  most: number,
  { level, localeId }: TimeTickOptions,
): TimeTick[] | undefined {
  if (scale.count > most) return undefined;
  const starts = Array.from({ length: scale.count }, (_, position) => scale.startOf(position));
  const times = starts.filter((start) => start !== null);
  return times.length === starts.length ? labelled(times, level ?? 5, localeId) : undefined;
}

/** Writes the labels of times. The longer period is named where it differs from that of the label before. */
function labelled(times: readonly number[], level: number, localeId: string): TimeTick[] {
  const label = timeLabels(level, localeId);
  let within = "";
  return times.map((wallMs) => {
    const shown = label(wallMs);
    const isNew = shown.within !== within;
    within = shown.within;
    return { wallMs, period: shown.period, within: isNew ? shown.within : "" };
  });
}

/** Returns about `count` ticks that are a whole number of weeks apart. */
function weeksFrom(fromMs: number, toMs: number, count: number): number[] {
  const weeks = Math.floor((toMs - fromMs) / (7 * dayMs)) + 1;
  const wanted = weeks / Math.max(1, count);
  const step = [1, 2, 4, 8, 13, 26].find((each) => each >= wanted) ?? 52 * Math.ceil(wanted / 52);
  const times: number[] = [];
  for (let week = 0; week < weeks; week += step) times.push(fromMs + week * 7 * dayMs);
  return times;
}

/**
 * Moves weekly ticks from Sunday, where D3's weeks begin, to Monday, where weeks in data begin (ISO 8601).
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
