import { vectorSize } from "../../kernels/kernels.ts";
import { partReaders, type DatePart } from "../../expressions/datetimeFunctions.ts";
import { dayMs } from "../../time/calendar.ts";
import { horizonMs, offsetIndex, readZone, type Zone } from "../../time/zone.ts";
import type { VectorSource } from "./vectorSource.ts";
import type { Workspace } from "../task/workspace.ts";

/**
 * A date part that cycles through `count` numbers, starting with `first`. Each number lasts for `lengthMs`. A cycle
 * starts `shiftMs` before 1970.
 */
interface Cycle {
  readonly lengthMs: number;
  readonly count: number;
  readonly first: 0 | 1;
  readonly shiftMs: number;
}

const cycles: Readonly<Partial<Record<DatePart, Cycle>>> = {
  weekday: { lengthMs: dayMs, count: 7, first: 1, shiftMs: 3 * dayMs },
  hour: { lengthMs: 3_600_000, count: 24, first: 0, shiftMs: 0 },
  minute: { lengthMs: 60_000, count: 60, first: 0, shiftMs: 0 },
  second: { lengthMs: 1000, count: 60, first: 0, shiftMs: 0 },
  millisecond: { lengthMs: 1, count: 1000, first: 0, shiftMs: 0 },
};

/** Maximum number of clock changes for which every instant of a vector is compared with each clock change. */
const mostSteps = 64;

/** Maximum number of days in the table of a date part that depends on the calendar: more than 40 years of days. */
const mostDays = 16_384;

/**
 * Number of days that are tabulated beyond the days that occur, because neighbouring vectors contain slightly later or
 * earlier days.
 */
const moreDays = 256;

/**
 * Writes the date part of each double at `from`; NaN stays NaN. Returns false and writes nothing if the datetimes do
 * not fit the tables.
 */
type WriteParts = (from: number, to: number) => boolean;

/**
 * Compiles a part of datetimes in a zone's local time. The compiled function returns false for vectors whose datetimes
 * are too far apart, or too late, for tables.
 */
export function compileDatePart(
  [part, zoneName]: readonly string[],
  source: VectorSource,
  workspace: Workspace,
): WriteParts {
  const named = part as DatePart;
  const cycle = cycles[named];
  const clock = compileClock(readZone(zoneName), source, workspace);
  const write = cycle ? compileCycle(cycle, source) : compileDays(named, source, workspace);
  const extentPlace = workspace.reserve(16);
  return (from, to) => {
    const { kernels, rowCount, base } = source;
    const extent = base + extentPlace;
    kernels.extent(from, rowCount, extent);
    const [least, negatedGreatest] = source.arena.f64.subarray(extent / 8, extent / 8 + 2);
    if (least === Infinity) {
      source.arena.f64.fill(NaN, to / 8, to / 8 + rowCount);
      return true;
    }
    const local = clock(from, least, -negatedGreatest);
    return local !== undefined && write(local, to);
  };
}

/** Local times: `shiftMs` plus the doubles at an address. The doubles are between `least` and `greatest`. */
interface LocalTimes {
  readonly at: number;
  readonly shiftMs: number;
  readonly least: number;
  readonly greatest: number;
}

/** Compiles the local times of a vector of doubles whose minimum and maximum are known. */
function compileClock(
  { transitions, offsetsMs }: Zone,
  source: VectorSource,
  workspace: Workspace,
) {
  const zone = { transitions, offsetsMs };
  const stepPlace = workspace.reserve(mostSteps * 16);
  const localPlace = workspace.reserve(transitions.length > 0 ? vectorSize * 8 : 0);
  return (from: number, least: number, greatest: number): LocalTimes | undefined => {
    if (transitions.length > 0 && greatest >= horizonMs) return undefined;
    const first = offsetIndex(zone, least);
    const last = offsetIndex(zone, greatest);
    const shiftMs = offsetsMs[first];
    const shown = { least: least + shiftMs, greatest: greatest + offsetsMs[last] };
    if (last === first) return { at: from, shiftMs, ...shown };
    if (last - first > mostSteps) return undefined;
    const { kernels, rowCount, base, arena } = source;
    const steps = base + stepPlace;
    let lowest = shown.least;
    let highest = shown.greatest;
    for (let index = first; index < last; index++) {
      const step = steps / 8 + (index - first) * 2;
      const added = offsetsMs[index + 1] - offsetsMs[index];
      arena.f64[step] = transitions[index];
      arena.f64[step + 1] = added;
      lowest = Math.min(lowest, transitions[index] + offsetsMs[index + 1]);
      highest = Math.max(highest, transitions[index] + offsetsMs[index]);
    }
    const at = base + localPlace;
    kernels.addSteps(from, rowCount, shiftMs, steps, last - first, at);
    return { at, shiftMs: 0, least: lowest, greatest: highest };
  };
}

function compileCycle({ lengthMs, count, first, shiftMs }: Cycle, source: VectorSource) {
  return (local: LocalTimes, to: number): boolean => {
    const { kernels, rowCount } = source;
    const shift = local.shiftMs + shiftMs;
    kernels.placesInCycle(local.at, rowCount, shift, lengthMs, count, first, to);
    return true;
  };
}

/** Compiles a date part that is constant during each day, with a table of days. */
function compileDays(part: DatePart, source: VectorSource, workspace: Workspace) {
  const readLocal = partReaders[part];
  const tablePlace = workspace.reserve((mostDays + 1) * 8);
  /** Entry 0 is null. */
  let parts = Float64Array.of(NaN);
  let firstDay = 0;
  let writtenTo: { readonly view: Float64Array; readonly base: number } | undefined;
  return ({ at, shiftMs, least, greatest }: LocalTimes, to: number): boolean => {
    const { kernels, rowCount, base, arena } = source;
    const low = Math.floor(least / dayMs);
    const high = Math.floor(greatest / dayMs);
    if (high - low >= mostDays) return false;
    const end = firstDay + parts.length - 1;
    if (low < firstDay || high >= end) {
      const isFirst = parts.length === 1;
      const from = Math.min(low, isFirst ? low : firstDay) - moreDays;
      const until = Math.max(high + 1, isFirst ? high : end) + moreDays;
      const canGrow = until - from <= mostDays;
      firstDay = canGrow ? from : low;
      parts = new Float64Array((canGrow ? until : high + 1) - firstDay + 1);
      parts[0] = NaN;
      for (let place = 1; place < parts.length; place++)
        parts[place] = readLocal((firstDay + place - 1) * dayMs);
      writtenTo = undefined;
    }
    const table = base + tablePlace;
    if (writtenTo?.view !== arena.f64 || writtenTo.base !== base) {
      arena.f64.set(parts, table / 8);
      writtenTo = { view: arena.f64, base };
    }
    const shift = shiftMs - (firstDay - 1) * dayMs;
    kernels.lookupSteps(at, rowCount, shift, dayMs, table, to);
    return true;
  };
}
