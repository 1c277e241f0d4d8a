import { ApiError, type Principal, type Records } from "../../base/index.ts";
import { slotsBetween, type Recurrence } from "../../resources/index.ts";
import type { EvaluatedAlert } from "../alerts/evaluateAlert.ts";
import { groupByWindow, type WindowedQuery } from "./groupByWindow.ts";

/** Slots that one backtest steps through. */
const mostSlots = 10_000;
/** Slots that are asked one by one. */
const mostQueriedSlots = 500;

/** The slots of a backtest, how they are answered, and what that costs. */
export interface BacktestPlan {
  readonly slots: readonly number[];
  readonly way: "grouped" | "slots";
  /** The most queries that a run asks. */
  readonly queryCount: number;
  /** By query: `query`, and `recovery` where the alert has one. Empty for `slots`. */
  readonly windowed: readonly WindowedQuery[];
}

export interface PlannedBacktest {
  readonly alert: EvaluatedAlert;
  readonly principal: Principal;
  readonly recurrence: Recurrence;
  readonly fromMs: number;
  readonly toMs: number;
  /** The way that the caller asks for; by default grouped where that answers the same. */
  readonly way: "grouped" | "slots" | undefined;
}

/**
 * Plans a backtest; asks no source. Grouped: every query is a window over a datetime column, and every slot is a whole
 * period. Otherwise each slot is asked.
 * @throws {ApiError} MEMBER_INVALID for more slots than one backtest takes, or a query that cannot be grouped
 */
export async function planBacktest(
  { alert, principal, recurrence, fromMs, toMs, way }: PlannedBacktest,
  records: Records,
): Promise<BacktestPlan> {
  const slots = slotsBetween(recurrence, fromMs, toMs, mostSlots + 1);
  refuseMore(slots.length, mostSlots, "");
  const alertQueries = [alert.query, ...(alert.recovery ? [alert.recovery] : [])];
  const found =
    way === "slots"
      ? []
      : await Promise.all(alertQueries.map((each) => groupByWindow(each, principal, records)));
  const windowed = found.filter((each) => each !== undefined);
  const isGrouped =
    windowed.length === alertQueries.length &&
    windowed.every((each) => slots.every((slot) => each.windowOf(slot)));
  if (isGrouped && way !== "slots") {
    const counts = windowed.map(
      ({ isTotal, present }) => 1 + (present ? 1 : 0) + (isTotal ? 1 : 0),
    );
    const queryCount = slots.length === 0 ? 0 : counts.reduce((sum, each) => sum + each, 0);
    return { slots, way: "grouped", queryCount, windowed };
  }
  if (way === "grouped")
    throw new ApiError("MEMBER_INVALID", [
      "options.way",
      "must be slots for this alert: its condition is no whole period of one datetime column",
    ]);
  refuseMore(slots.length, mostQueriedSlots, ", because each is a query");
  return { slots, way: "slots", queryCount: slots.length * alertQueries.length, windowed: [] };
}

function refuseMore(count: number, most: number, why: string): void {
  if (count <= most) return;
  throw new ApiError("MEMBER_INVALID", [
    "options.from",
    `must leave at most ${most} slots up to options.to${why}; take a shorter window or a longer frequency`,
  ]);
}
