import type { DayTimeSegment, Segment } from "../../column/segment/segment.ts";
import { vectorSize } from "../../kernels/kernels.ts";
import type { BoundKey } from "../../plan/boundPlan.ts";
import { dayMs } from "../../time/calendar.ts";
import { neverMs } from "../../time/periodDayTable.ts";
import { numberPeriods } from "../../time/periodFloor.ts";
import { periodThresholds, type PeriodThresholds } from "../../time/periodThresholds.ts";
import type { StoredIntegers } from "../rows/storedColumn.ts";
import { storedRange } from "../rows/storedRange.ts";
import type { Compilation } from "../rows/compilation.ts";
import { compileVector } from "../rows/vectors.ts";
import type { KeyNumbering } from "./keyNumbering.ts";

/** Maximum number of period starts in a row group for which instants are compared with each start. */
const mostThresholds = 16;

/**
 * Numbers the periods of instants in chronological order; 0 is null. Days and times are looked up in a table of days.
 * Other instants are compared with the period starts if the row group has few periods, and otherwise computed row by
 * row.
 */
export function compilePeriodNumbering(
  { of, floor, days }: Extract<BoundKey, { kind: "period" }>,
  stride: number,
  compilation: Compilation,
): KeyNumbering {
  const { source, workspace } = compilation;
  const vector = compileVector(of, -1, compilation);
  const column = of.kind === "column" ? of.column : undefined;
  const thresholdPlace = workspace.reserve(mostThresholds * 8);
  const dayTable = days && workspace.table(days.table);
  const plain = days && plainNumbers(days.table);
  const plainTable = plain && workspace.table(plain);
  const dayPlace = workspace.reserve(vectorSize * 4);
  const timePlace = workspace.reserve(vectorSize * 4);
  const scratch = new Int32Array(vectorSize);
  let thresholds: PeriodThresholds | undefined;

  const writeDays = (
    segment: DayTimeSegment,
    stored: StoredIntegers,
    table: number,
    firstDay: number,
    to: number,
    isFirst: 0 | 1,
  ): void => {
    const { kernels, rowCount, base } = source;
    const shift = segment.bias - firstDay + 1;
    if (plainTable !== undefined && segment.nullCount === 0) {
      stored.numberByTable(base + plainTable + shift * 4, stride, to, isFirst);
      return;
    }
    stored.widen(base + dayPlace);
    const timesAt = base + timePlace;
    const times = plainTable === undefined ? stored.timesOf(segment) : undefined;
    if (times) {
      times.widen(timesAt);
      scaleTimes(source.arena.u32, timesAt / 4, rowCount, segment.timeScale);
    } else source.arena.u32.fill(0, timesAt / 4, timesAt / 4 + rowCount);
    kernels.numberDayTime(
      base + dayPlace,
      timesAt,
      rowCount,
      base + table + shift * 12,
      stride,
      to,
      isFirst,
    );
  };

  return {
    column: undefined,
    few: () => {
      if (column === undefined || !thresholds) return undefined;
      const segment = source.segment(column);
      const stored = storedStarts(segment, thresholds.starts);
      if (!stored) return undefined;
      const { first } = thresholds;
      const hasNulls = segment.nullCount > 0;
      // Null is stored as 0, which is below all other stored numbers.
      const starts = hasNulls ? [1, ...stored] : stored;
      const addend = (code: number) =>
        (hasNulls && code === 0 ? 0 : first + code - (hasNulls ? 1 : 0)) * stride;
      return { column, first: 0, count: starts.length + 1, starts, addend };
    },
    openRowGroup: () => {
      thresholds = undefined;
      if (column === undefined) return undefined;
      const { form, nullCount, minimum, maximum } = source.segment(column);
      if (form === "null") return 0;
      thresholds = periodThresholds(floor, minimum, maximum, mostThresholds);
      if (!thresholds) return undefined;
      if (thresholds.starts.length === 0 && nullCount === 0) return thresholds.first;
      source.arena.f64.set(thresholds.starts, (source.base + thresholdPlace) / 8);
      return undefined;
    },
    write: (to, isFirst) => {
      const { kernels, rowCount, base } = source;
      const stored = column === undefined ? undefined : source.stored(column);
      const integers = stored?.kind === "integers" ? stored : undefined;
      if (integers?.segment.form === "dayTime" && days && dayTable !== undefined)
        writeDays(integers.segment, integers, dayTable, days.firstDay, to, isFirst);
      else if (thresholds)
        kernels.numberThresholds(
          vector.read(),
          rowCount,
          base + thresholdPlace,
          thresholds.starts.length,
          thresholds.first,
          stride,
          to,
          isFirst,
        );
      else {
        const { f64, u32 } = source.arena;
        const from = vector.read() / 8;
        numberPeriods(floor, f64.subarray(from, from + rowCount), rowCount, scratch);
        const at = to / 4;
        if (isFirst) for (let row = 0; row < rowCount; row++) u32[at + row] = scratch[row] * stride;
        else for (let row = 0; row < rowCount; row++) u32[at + row] += scratch[row] * stride;
      }
    },
  };
}

/**
 * Returns, for each start, the least stored number of an instant at or after the start. Returns undefined if instants
 * are stored as floats, or if they are stored as days and some start is within a day.
 */
function storedStarts(segment: Segment, starts: Float64Array): readonly number[] | undefined {
  if (segment.form === "whole")
    return Array.from(starts, (low) => storedRange(segment, { low, high: Infinity }).low);
  if (segment.form !== "dayTime" || starts.some((start) => start % dayMs !== 0)) return undefined;
  return Array.from(starts, (start) => start / dayMs - segment.bias);
}

/** Returns one number per day if no period starts within a day; otherwise undefined. */
function plainNumbers(table: Uint32Array): Uint32Array | undefined {
  const numbers = new Uint32Array(table.length / 3);
  for (let day = 0; day < numbers.length; day++) {
    if (day > 0 && table[day * 3 + 1] !== neverMs) return undefined;
    numbers[day] = table[day * 3];
  }
  return numbers;
}

function scaleTimes(
  u32: Uint32Array<ArrayBufferLike>,
  at: number,
  rowCount: number,
  scale: number,
): void {
  if (scale === 1) return;
  for (let row = 0; row < rowCount; row++) u32[at + row] *= scale;
}
