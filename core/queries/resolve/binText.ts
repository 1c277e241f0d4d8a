import { limitsOf, type Bin } from "../../../plugins/protocol/index.ts";

/**
 * Returns how clients read a bin, by where it starts: `[ 100 - 150 [`. Both limits are printed in full, so they hold
 * the bin's numbers.
 */
export function binText(start: number, bin: Bin): string {
  const { indexOf, limit } = limitsOf(bin);
  return `[ ${start + 0} - ${limit(indexOf(start) + 1) + 0} [`;
}
