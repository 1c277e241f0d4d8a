import { applyFunction } from "../expressions/index.ts";
import type { Level } from "../../../plugins/protocol/index.ts";
import type { Shift } from "../parsedQuery.ts";

/** A range of instants in milliseconds, without its end. */
export interface InstantRange {
  readonly fromMs: number;
  readonly toMs: number;
}

const calendarUnits = ["year", "quarter", "month", "day"] as const satisfies readonly Level[];

/**
 * Returns the move from the range before a range to the range itself. A range of whole years, quarters or months moves
 * by as many, and a range that starts and ends at the same time of day moves by days. Any other range moves by its
 * length in milliseconds.
 */
export function shiftOver({ fromMs, toMs }: InstantRange, timezone: string): Shift {
  for (const unit of calendarUnits) {
    const isWhole =
      unit === "day" || [fromMs, toMs].every((at) => startOf(at, unit, timezone) === at);
    const count = Number(applyFunction("dateDiff", [unit, fromMs, toMs, timezone]));
    if (isWhole && count > 0 && applyFunction("dateAdd", [unit, count, fromMs, timezone]) === toMs)
      return { unit, count };
  }
  return { unit: "millisecond", count: toMs - fromMs };
}

function startOf(instant: number, unit: Level, timezone: string): unknown {
  return applyFunction("dateTrunc", [unit, instant, timezone]);
}
