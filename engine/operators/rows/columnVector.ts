import type { DayTimeSegment } from "../../column/segment/segment.ts";
import { dayMs } from "../../time/calendar.ts";
import type { Compilation, Fill } from "./compilation.ts";
import type { StoredIntegers } from "./storedColumn.ts";
import { vectorBytes, type VectorSource } from "./vectorSource.ts";

/**
 * Compiles the decoding of a stored column. If `decimals` is at least 0, values are multiplied by 10^decimals and
 * rounded.
 */
export function compileColumnVector(
  column: number,
  decimals: number,
  { source, workspace }: Compilation,
): Fill {
  const timesPlace = workspace.reserve(vectorBytes);
  return (to) => {
    const { kernels, rowCount, arena } = source;
    const stored = source.stored(column);
    if (!stored) {
      arena.f64.fill(NaN, to / 8, to / 8 + rowCount);
      return to;
    }
    if (stored.kind === "floats") {
      const at = stored.decode(to);
      if (decimals <= 0) return at;
      kernels.scaleRound(at, rowCount, 10 ** decimals, to);
      return to;
    }
    const { segment } = stored;
    switch (segment.form) {
      case "code":
        stored.decode(1, 0, to);
        return to;
      case "whole": {
        const factor = 10 ** Math.max(0, decimals - segment.decimals);
        stored.decode(segment.scale * factor, segment.bias * factor, to);
        if (decimals < 0 && segment.decimals > 0)
          kernels.divideVector(to, rowCount, 10 ** segment.decimals, to);
        return to;
      }
      case "dayTime":
        stored.decode(dayMs, segment.bias * dayMs, to);
        addTimes(source, stored, segment, source.base + timesPlace, to);
        return to;
    }
  };
}

function addTimes(
  source: VectorSource,
  days: StoredIntegers,
  segment: DayTimeSegment,
  scratch: number,
  to: number,
): void {
  const stored = days.timesOf(segment);
  if (!stored) return;
  stored.widen(scratch);
  const { rowCount } = source;
  const { f64, u32 } = source.arena;
  const { timeScale } = segment;
  const times = scratch / 4;
  const vector = to / 8;
  for (let row = 0; row < rowCount; row++) f64[vector + row] += u32[times + row] * timeScale;
}
