import { limitsOf, type Bin } from "../../../plugins/protocol/index.ts";

/**
 * Returns the label of the bin that starts at a number, such as `[ 100 - 150 [`. Both limits are printed in full, so
 * that the label contains exactly the bin's numbers.
 */
export function binText(start: number, bin: Bin): string {
  const { indexOf, limit } = limitsOf(bin);
  return `[ ${start + 0} - ${limit(indexOf(start) + 1) + 0} [`;
}
