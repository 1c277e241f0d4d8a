import type { PeriodFloor } from "./periodFloor.ts";

/** A compiled truncation that numbers its periods. */
export type NumberedFloor = Exclude<PeriodFloor, { kind: "zone" }>;

/**
 * Returns the number of an instant's period. Instants before the first period get the number 1; instants after the last
 * period get its number.
 */
export function numberAt(floor: NumberedFloor, instant: number): number {
  if (floor.kind === "grid") {
    const number = Math.floor((instant - floor.first) / floor.lengthMs) + 1;
    return Math.min(Math.max(number, 1), floor.count);
  }
  let low = 1;
  let high = floor.count;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (floor.starts[middle - 1] <= instant) low = middle;
    else high = middle - 1;
  }
  return low;
}
