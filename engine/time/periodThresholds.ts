import { numberAt } from "./numberAt.ts";
import { periodStart, type PeriodFloor } from "./periodFloor.ts";

/**
 * The instants at which the period number changes. The number is `first` until `starts[0]`, and increases by one at
 * each start.
 */
export interface PeriodThresholds {
  readonly first: number;
  /** Milliseconds, ascending. */
  readonly starts: Float64Array;
}

/**
 * Returns the instants after `minimumMs` and up to `maximumMs` at which the period number changes (counted as by
 * `numberPeriods`). `first` is the number at `minimumMs`; if `minimumMs` is NaN, `first` is 0 and there are no starts.
 * Returns undefined if there are more than `limit` starts, or if periods are not numbered. Takes O(starts).
 */
export function periodThresholds(
  floor: PeriodFloor,
  minimumMs: number,
  maximumMs: number,
  limit: number,
): PeriodThresholds | undefined {
  if (floor.kind === "zone") return undefined;
  if (minimumMs !== minimumMs) return { first: 0, starts: new Float64Array(0) };
  const first = numberAt(floor, minimumMs);
  const count = numberAt(floor, maximumMs) - first;
  if (count > limit) return undefined;
  return {
    first,
    starts: Float64Array.from({ length: count }, (_, index) =>
      periodStart(floor, first + index + 1),
    ),
  };
}
