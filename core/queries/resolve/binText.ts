import { limitsOf, type Bin } from "../../../plugins/protocol/index.ts";

/**
 * Returns the label of a bin by its start: `[ 100 - 150 [`. Both limits are printed in full, so the
 * label contains the bin's numbers.
 */
export function binText(start: number, bin: Bin): string {
  const { indexOf, limit } = limitsOf(bin);
  return `[ ${start + 0} - ${limit(indexOf(start) + 1) + 0} [`;
}
