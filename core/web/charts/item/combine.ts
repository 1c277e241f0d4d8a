import { fsum, max, min } from "d3-array";
import type { SlotField } from "./item.ts";
import { aggregationOf } from "./queryOf.ts";

/** Aggregations whose value for a whole follows from the values of its parts. Sums are rounded once. */
const combiners: Readonly<Record<string, (values: readonly number[]) => number | undefined>> = {
  sum: (values) => fsum(values),
  count: (values) => fsum(values),
  min: (values) => min(values),
  max: (values) => max(values),
};

/** Returns whether the value of a measure for a whole follows from its values for the parts. */
export function isCombinable(field: SlotField): boolean {
  return isOfParts(field) && Object.hasOwn(combiners, aggregationOf(field) ?? "");
}

/** Returns whether the values of a measure are amounts or parts of them, not ratios or ranks. */
function isOfParts({ calculation }: SlotField): boolean {
  return calculation?.type !== "percentage_change" && calculation?.type !== "rank";
}

/** Returns whether the values of a measure are parts of a total: sums and counts. */
export function isAdditive(field: SlotField): boolean {
  return isOfParts(field) && ["sum", "count"].includes(aggregationOf(field) ?? "");
}

/**
 * Combines the values of groups without a common row into the value of all of them. Null if no group has a value, and
 * for a measure that is not combinable.
 */
export function combine(field: SlotField, values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  if (!isOfParts(field)) return null;
  const combiner = combiners[aggregationOf(field) ?? ""];
  return known.length === 0 || !combiner ? null : (combiner(known) ?? null);
}
