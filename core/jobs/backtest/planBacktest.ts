import { ApiError, type Principal, type Records } from "../../base/index.ts";
import { slotsBetween, type Recurrence } from "../../resources/index.ts";
import type { EvaluatedAlert } from "../alerts/evaluateAlert.ts";
import { groupByWindow, type WindowedQuery } from "./groupByWindow.ts";

/** Maximum number of slots per backtest. */
const mostSlots = 10_000;
/** Maximum number of slots that are queried one by one. */
const mostQueriedSlots = 500;

/** The slots of a backtest, how they are queried, and how many queries they need. */
export interface BacktestPlan {
  readonly slots: readonly number[];
  readonly way: "grouped" | "slots";
  /** Maximum number of queries that a run sends. */
  readonly queryCount: number;
  /** The windowed form of `query`, and of `recovery` if the alert has one. Empty for `slots`. */
  readonly windowed: readonly WindowedQuery[];
}

export interface PlannedBacktest {
  readonly alert: EvaluatedAlert;
  readonly principal: Principal;
  readonly recurrence: Recurrence;
  readonly fromMs: number;
  readonly toMs: number;
  /** How the caller wants slots to be queried. The default is `grouped` if it returns the same answers. */
  readonly way: "grouped" | "slots" | undefined;
}

/**
 * Plans a backtest without calling a source. The plan is grouped if every query selects a window of a datetime column
 * and every slot is a whole period. Otherwise each slot is queried separately.
 * @throws {ApiError} MEMBER_INVALID for too many slots, or for a query that cannot be grouped
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
      "must be slots for this alert, because its condition does not select a whole period of one datetime column",
    ]);
  refuseMore(slots.length, mostQueriedSlots, ", because each slot is a query");
  return { slots, way: "slots", queryCount: slots.length * alertQueries.length, windowed: [] };
}

function refuseMore(count: number, most: number, why: string): void {
  if (count <= most) return;
  throw new ApiError("MEMBER_INVALID", [
    "options.from",
    `must be late enough that at most ${most} slots remain up to options.to${why}; choose a shorter window or a longer frequency`,
  ]);
}
