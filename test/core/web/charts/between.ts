import type { Random } from "../../../support/random.ts";

/** Draws a whole number from `from` to `to`. */
export function between(random: Random, from: number, to: number): number {
  return from + random.below(to - from + 1);
}
