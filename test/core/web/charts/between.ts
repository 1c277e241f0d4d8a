import type { Random } from "../../../support/random.ts";

/** Returns a random whole number from `from` to `to`. */
export function between(random: Random, from: number, to: number): number {
  return from + random.below(to - from + 1);
}
