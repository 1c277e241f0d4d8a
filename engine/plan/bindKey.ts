import { bindExpression } from "../expressions/bindExpression.ts";
import type { BoundValue } from "../expressions/boundValue.ts";
import { dayMs } from "../time/calendar.ts";
import { periodCount } from "../time/periodFloor.ts";
import { recentDayTable } from "../time/recentPeriods.ts";
import type { Expression } from "../types.ts";
import { boundsOf } from "./boundsOf.ts";
import type { BoundKey } from "./boundPlan.ts";
import { isComputedText } from "./isComputedText.ts";
import { largestCapacity, largestWholeRange } from "./numberedRanges.ts";
import type { PlanSource } from "./planSource.ts";

/** Maximum number of UTC days for which periods are tabulated by day. */
const tabulatedDays = 40_000;

/**
 * Binds a key. If the key has few enough values, they are numbered consecutively from 0; otherwise the values
 * themselves are hashed.
 * @throws {EngineError} COLUMN_UNKNOWN, COLUMN_TYPE, QUERY_PLAN
 */
export function bindKey(expression: Expression, source: PlanSource): BoundKey {
  const { of } = bindExpression(expression, source);
  if (of.kind === "text") return { kind: "text", code: of.code, cardinality: of.textCount + 1 };
  if (isComputedText(of)) return { kind: "computed", of };
  if (of.kind === "period") {
    const count = periodCount(of.floor);
    if (count === undefined || count > largestCapacity) return { kind: "value", of };
    const days = dayTable(of, source);
    return {
      kind: "period",
      of: of.of,
      floor: of.floor,
      cardinality: count + 1,
      ...(days && { days }),
    };
  }
  const bounds = boundsOf(of, source.columns);
  if (!bounds || bounds.decimals < 0) return { kind: "value", of };
  const unit = 10 ** bounds.decimals;
  const base = bounds.minimum === bounds.minimum ? Math.round(bounds.minimum * unit) : 0;
  const last = bounds.maximum === bounds.maximum ? Math.round(bounds.maximum * unit) : 0;
  const step = of.kind === "bin" && bounds.decimals === 0 ? of.width : 1;
  const steps = (last - base) / step;
  if (!(steps < largestWholeRange)) return { kind: "value", of };
  const isStepped = step !== 1 && { step };
  return {
    kind: "whole",
    of,
    base,
    decimals: bounds.decimals,
    ...isStepped,
    cardinality: steps + 2,
  };
}

/** Returns a table of the periods of all UTC days in the range of the values, if there are few enough days. */
function dayTable({ of, floor }: Extract<BoundValue, { kind: "period" }>, source: PlanSource) {
  const bounds = boundsOf(of, source.columns);
  if (!bounds || bounds.minimum !== bounds.minimum) return undefined;
  const firstDay = Math.floor(bounds.minimum / dayMs);
  const dayCount = Math.floor(bounds.maximum / dayMs) - firstDay + 1;
  if (dayCount > tabulatedDays) return undefined;
  const table = recentDayTable(floor, firstDay, dayCount);
  return table && { firstDay, table };
}
