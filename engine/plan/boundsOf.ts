import { limitsOf } from "../expressions/binLimits.ts";
import { fitsDecimals } from "../column/segment/decimals.ts";
import type { BoundValue } from "../expressions/boundValue.ts";
import type { ColumnSnapshot } from "../table/snapshot.ts";
import { dayMs, monthOfDay } from "../time/calendar.ts";
import { uniteBounds, type Bounds } from "./bounds.ts";
import { boundsOfCall } from "./boundsOfCall.ts";

const known = new WeakMap<Float64Array, Bounds>();

/** Returns bounds for the numbers of an expression; undefined if no bounds are known. */
export function boundsOf(of: BoundValue, columns: readonly ColumnSnapshot[]): Bounds | undefined {
  switch (of.kind) {
    case "column": {
      const { minimum, maximum, decimals, nullCount } = columns[of.column];
      return { minimum, maximum, decimals, hasNulls: nullCount > 0 };
    }
    case "byCode":
    case "byNumber":
      return boundsOfTable(of.values);
    case "literal":
      return { ...boundsOfTable(Float64Array.of(of.value)), hasNulls: Number.isNaN(of.value) };
    case "bin": {
      const inner = boundsOf(of.of, columns);
      if (!inner) return undefined;
      const isWhole = Number.isSafeInteger(of.width) && Number.isSafeInteger(of.origin);
      const { startOf } = limitsOf(of);
      const [minimum, maximum] = [startOf(inner.minimum), startOf(inner.maximum)];
      if (Number.isNaN(minimum) || Number.isNaN(maximum))
        return inner.minimum === inner.minimum ? undefined : inner;
      return {
        minimum,
        maximum,
        decimals:
          isWhole && Math.abs(inner.maximum) < 2 ** 51 && Math.abs(inner.minimum) < 2 ** 51
            ? 0
            : -1,
        hasNulls: inner.hasNulls,
      };
    }
    case "call":
      return of.function === "datePart"
        ? boundsOfPart(of, columns)
        : boundsOfCall(of, (part) => boundsOf(part, columns));
    case "case": {
      const parts: Bounds[] = [];
      for (const value of [...of.branches.map(({ then }) => then), of.otherwise]) {
        const bounds = boundsOf(value, columns);
        if (!bounds) return undefined;
        parts.push(bounds);
      }
      return uniteBounds(
        parts,
        parts.some(({ hasNulls }) => hasNulls),
      );
    }
    case "period":
    case "rowOf":
    case "rows":
      return undefined;
  }
}

/** Minimum and maximum of each cyclic date part. */
const cycles: Readonly<Record<string, readonly [number, number]>> = {
  quarter: [1, 4],
  month: [1, 12],
  week: [1, 53],
  day: [1, 31],
  hour: [0, 23],
  minute: [0, 59],
  second: [0, 59],
  millisecond: [0, 999],
  weekday: [1, 7],
  dayofyear: [1, 366],
};

/**
 * Returns bounds for a date part. Years are bounded by the datetimes, with a week on either side to allow for time
 * zones and week years.
 */
function boundsOfPart(
  { of: [datetime], literals = [] }: Extract<BoundValue, { kind: "call" }>,
  columns: readonly ColumnSnapshot[],
): Bounds | undefined {
  const inner = boundsOf(datetime, columns);
  const hasNulls = inner?.hasNulls ?? true;
  const cycle = cycles[literals[0]];
  if (cycle) return { minimum: cycle[0], maximum: cycle[1], decimals: 0, hasNulls };
  if (!inner) return undefined;
  const yearOf = (instant: number) => Math.floor(monthOfDay(Math.floor(instant / dayMs)) / 12);
  const weekMs = 7 * dayMs;
  const [minimum, maximum] = [yearOf(inner.minimum - weekMs), yearOf(inner.maximum + weekMs)];
  return { minimum, maximum, decimals: 0, hasNulls };
}

function boundsOfTable(values: Float64Array): Bounds {
  const found = known.get(values);
  if (found) return found;
  let minimum = NaN;
  let maximum = NaN;
  let isWhole = true;
  for (const value of values) {
    if (value !== value) continue;
    if (!(value >= minimum)) minimum = value;
    if (!(value <= maximum)) maximum = value;
    isWhole &&= fitsDecimals(value, 0) && !Object.is(value, -0);
  }
  const bounds = { minimum, maximum, decimals: isWhole ? 0 : -1, hasNulls: true };
  known.set(values, bounds);
  return bounds;
}
