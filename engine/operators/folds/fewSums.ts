import type { WholeSegment } from "../../column/segment/segment.ts";
import type { Summand } from "../../plan/boundPlan.ts";
import type { FewNumbers } from "../keys/fewNumbers.ts";
import type { Numbering } from "../keys/numbering.ts";
import type { VectorSource } from "../rows/vectorSource.ts";

/** A column that is stored so that it can be summed by groups that are few. */
interface FewSummand {
  readonly column: number;
  readonly segment: WholeSegment;
  /** What the sum is multiplied by. */
  readonly factor: number;
  readonly few: FewNumbers;
}

/** Finds how to sum by groups that are few; undefined where they are not, or where values are not stored as they are needed. */
export function fewSummand(
  { of, decimals }: Summand,
  numbering: Numbering,
  source: VectorSource,
): FewSummand | undefined {
  if (of.kind !== "column") return undefined;
  const { column } = of;
  const segment = source.segment(column);
  if (segment.form !== "whole" || decimals < segment.decimals) return undefined;
  const few = numbering.few();
  return few && { column, segment, factor: 10 ** (decimals - segment.decimals), few };
}

/** Groups up to which `foldFew` takes less than `foldStored`, by the width of the values. */
const mostGroups: readonly number[] = [0, 16, 16, 10, 8];

/** Whether a sum takes less than by `foldStored`, were that possible. */
export function isFewer({ segment, few }: FewSummand): boolean {
  return few.groups.length <= mostGroups[segment.values.width];
}

/** Counts the rows to look at by group: a double in every other place from the address that is returned. */
export function countFew(
  { address, first, groups, present, out }: FewNumbers,
  source: VectorSource,
): number {
  source.kernels.countFew(address, source.vectorRowCount, first, groups.length, present, out);
  return out;
}

/** Counts and sums values that are not null by group, a pair of doubles each from the address that is returned. */
export function sumFew({ column, segment, factor, few }: FewSummand, source: VectorSource): number {
  const { values, nullCount, scale, bias } = segment;
  const { address, first, groups, present, scratch, out } = few;
  source.kernels.foldFew[values.width](
    address,
    source.address(column, values),
    source.vectorRowCount,
    first,
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
}

/** Adds every other double from an address to a double of each group's slot. */
export function addFew(
  from: number,
  { groups }: FewNumbers,
  state: number,
  { arena: { f64 } }: VectorSource,
): void {
  for (let index = 0; index < groups.length; index++)
    f64[state / 8 + 2 * groups[index]] += f64[from / 8 + 2 * index];
}
