import type { Summand } from "../../plan/boundPlan.ts";
import type { FewNumbers } from "../keys/fewNumbering.ts";
import type { Numbering } from "../keys/numbering.ts";
import type { VectorSource } from "../rows/vectorSource.ts";
import { storedSummand } from "./storedSummand.ts";

/** Counts the active rows by group. Writes the counts to every second double, starting at the returned address. */
export function countFew(
  { address, groups, present, out }: FewNumbers,
  source: VectorSource,
): number {
  source.kernels.countFew(address, source.vectorRowCount, groups.length, present, out);
  return out;
}

/** Adds counts or sums to a double in the state of each group. They are every second double, starting at an address. */
export function addFew(
  from: number,
  { groups }: FewNumbers,
  state: number,
  { arena: { f64 } }: VectorSource,
): void {
  for (let index = 0; index < groups.length; index++)
    f64[state / 8 + 2 * groups[index]] += f64[from / 8 + 2 * index];
}

/** Sums stored whole numbers over few groups. */
interface FewSum {
  canSum(): boolean;
  /**
   * Returns whether `sum` is faster than a kernel that reads the stored numbers of the keys. Call it only if `canSum`
   * returned true.
   */
  isCheapest(): boolean;
  /**
   * Counts and sums the values that are not null. Writes a pair of doubles per group, starting at the returned address.
   */
  sum(few: FewNumbers): number;
}

/** Maximum number of groups for which `foldFew` is faster than `foldStored`, by the width of the values. */
const mostGroups: readonly number[] = [0, 16, 16, 10, 8];

export function fewSum(summand: Summand, numbering: Numbering, source: VectorSource): FewSum {
  return {
    canSum: () => storedSummand(summand, source) !== undefined && numbering.fewGroupCount() > 0,
    isCheapest: () => {
      const width = storedSummand(summand, source)?.stored.width ?? 0;
      return numbering.fewGroupCount() <= mostGroups[width];
    },
    sum: ({ address, groups, present, scratch, out }) => {
      const whole = storedSummand(summand, source);
      if (!whole) throw new RangeError("the summand is not stored as whole numbers");
      const { stored, factor } = whole;
      const { nullCount, scale, bias } = whole.segment;
      source.kernels.foldFew[stored.width](
        address,
        stored.address,
        source.vectorRowCount,
        groups.length,
        present,
        nullCount > 0 ? 1 : 0,
        scratch,
        out,
      );
      const { f64 } = source.arena;
      for (let index = 0; index < groups.length; index++) {
        const at = out / 8 + 2 * index;
        f64[at + 1] = (f64[at + 1] * scale + f64[at] * bias) * factor;
      }
      return out;
    },
  };
}
